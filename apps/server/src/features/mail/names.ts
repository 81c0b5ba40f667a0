const mostShown = 80;
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** A name that people chose, as a mail to others shows it: one short line, which starts no header and carries no message. */
export function mailedName(name: string): string {
  const characters = [...name.replace(unfit, ' ').replace(/\s+/g, ' ').trim()];
  return characters.length > mostShown
    ? `${characters
        .slice(0, mostShown - 1)
        .join('')
        .trimEnd()}…`
    : characters.join('');
}
