/** What is in the address of a publication. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const slugLength = 80;

/** Of a title, as a person would write it; empty when nothing of it can stand in an address. */
export const slugFrom = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, '');
