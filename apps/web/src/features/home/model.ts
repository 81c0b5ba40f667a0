import type { Session } from '@atoll/contract/session/entity';
import type { Theme } from '@atoll/contract/theme/entity';

export interface Step {
  id: 'account' | 'profile' | 'look' | 'secure' | 'brand' | 'about';
  isDone: boolean;
}

/** Three things worth doing now, for this person; what is done stays visible, so that progress can be seen. */
export function steps(session: Session, theme: Theme): Step[] {
  const { preferences } = session;
  const look: Step = { id: 'look', isDone: (preferences?.theme_mode ?? 'system') !== 'system' };
  if (session.is_guest) return [{ id: 'account', isDone: false }, look, { id: 'about', isDone: false }];
  const profile: Step = { id: 'profile', isDone: Boolean(session.first_name && session.headline && session.avatar) };
  const first: Step = session.is_admin
    ? { id: 'brand', isDone: theme.logo !== null && theme.name !== theme.parent_meta.name }
    : { id: 'account', isDone: true };
  // An administrator who came by the printed link has no other way back in yet.
  if (session.is_admin && !session.has_password) return [{ id: 'secure', isDone: false }, first, profile];
  return [first, profile, look];
}

/** By the clock of the person, not of the server. */
export function greeting(hour: number): string {
  if (hour < 5) return 'Good evening';
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}
