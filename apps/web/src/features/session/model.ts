import type { Session } from '@atoll/contract/session/entity';

type Named = Pick<Session, 'first_name' | 'last_name' | 'user_name' | 'is_guest'>;

/** The name people are greeted and listed by. */
export function displayName(person: Named): string {
  if (person.is_guest) return 'Guest';
  return `${person.first_name} ${person.last_name}`.trim() || person.user_name;
}

export const initials = (person: Named): string =>
  displayName(person)
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
