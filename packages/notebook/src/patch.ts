import { type Fields, fieldsOf, isFields } from './fields.ts';

/**
 * Applies a patch of RFC 7396: sets fields, and removes those that are null. Built from entries, so that `__proto__` is a
 * normal name.
 */
export function merged(target: Fields, patch: Fields): Fields {
  const result = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, isFields(value) ? merged(fieldsOf(result.get(name)), value) : value);
  }
  return Object.fromEntries(result);
}

/** Returns the patch that undoes a patch. */
export function unmerged(target: Fields, patch: Fields): Fields {
  const entries = new Map(Object.entries(target));
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const before = entries.get(name);
      if (before === undefined) return [name, null];
      return [name, isFields(value) && isFields(before) ? unmerged(before, value) : before];
    }),
  );
}
