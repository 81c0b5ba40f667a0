/** A text that starts with its own title is shown without it: the page has one already. */
export const withoutTitle = (text: string): string => text.replace(/^\s*#\s+[^\n]*\n*/, '');
