import type { Session } from '@atoll/contract/session/entity';
import { personName } from '@atoll/contract/users/names';

type Named = Pick<Session, 'first_name' | 'last_name' | 'user_name' | 'is_guest'>;

/** The name people are greeted and listed by. */
export const displayName = (person: Named): string => (person.is_guest ? 'Guest' : personName(person));
