/** What LIKE takes for a wildcard is found as it is written. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

export const containing = (text: string): string => `%${literal(text)}%`;
export const startingWith = (text: string): string => `${literal(text)}%`;
