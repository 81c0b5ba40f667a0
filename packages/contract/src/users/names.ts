interface Named {
  first_name: string;
  last_name: string;
  user_name: string;
}

/** As people are named: on the screen, in mails and feeds, on paper. */
export const personName = ({ first_name, last_name, user_name }: Named): string =>
  `${first_name} ${last_name}`.trim() || user_name;

/** For where a name has no room. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
