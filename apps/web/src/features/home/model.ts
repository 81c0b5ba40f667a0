import type { Session } from '@atoll/contract/session/entity';
import type { Theme } from '@atoll/contract/theme/entity';

export interface Step {
  id: 'account' | 'project' | 'run' | 'people' | 'secure' | 'brand';
  isDone: boolean;
}

/** What somebody has done so far. */
export interface Progress {
  hasProject: boolean;
  hasRun: boolean;
  hasPeople: boolean;
}

/** Three things that lead to a first run, for this person; what is done stays visible, so that progress can be seen. */
export function steps(session: Session, theme: Theme, progress: Progress): Step[] {
  const project: Step = { id: 'project', isDone: progress.hasProject };
  const run: Step = { id: 'run', isDone: progress.hasRun };
  if (session.is_guest) return [project, run, { id: 'account', isDone: false }];
  // An administrator who came by the printed link has no other way back in yet.
  if (session.is_admin && !session.has_password) return [{ id: 'secure', isDone: false }, project, run];
  if (session.is_admin) {
    const isBranded = theme.logo !== null && theme.name !== theme.parent_meta.name;
    return [{ id: 'brand', isDone: isBranded }, project, run];
  }
  return [project, run, { id: 'people', isDone: progress.hasPeople }];
}

/** One's own and others' in one list, by the last change. */
export const latest = <Changed extends { updated_at: string }>(lists: Changed[][], most: number): Changed[] =>
  lists
    .flat()
    .sort((one, other) => other.updated_at.localeCompare(one.updated_at))
    .slice(0, most);

/** By the clock of the person, not of the server. */
export function greeting(hour: number): string {
  if (hour < 5) return 'Good evening';
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}
