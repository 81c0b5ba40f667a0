/** Keeps only the fields whose values differ, before and after. */
export function changesOf<Fields extends Record<string, unknown>>(before: Fields, after: Fields) {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (from: Fields) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: pick(before), after: pick(after), isSame: names.length === 0 };
}
