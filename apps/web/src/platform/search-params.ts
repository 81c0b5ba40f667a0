type Search = Record<string, unknown>;

/**
 * Addresses as people and the specification write them: values are text, a list repeats `key[]`. The router's own
 * reading would turn `?code=1e5` into a number and lists into JSON.
 */
export function parseSearch(query: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const known = Object.hasOwn(search, key) ? search[key] : undefined;
    if (known !== undefined) search[key] = [known, value].flat();
    else search[key] = name.endsWith('[]') ? [value] : value;
  }
  return search;
}

export function stringifySearch(search: Search): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) for (const item of value) query.append(`${key}[]`, String(item));
    else query.append(key, String(value));
  }
  // Brackets are harmless in a query and much easier to read.
  const text = query.toString().replaceAll('%5B%5D=', '[]=');
  return text ? `?${text}` : '';
}
