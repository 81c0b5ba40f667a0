import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type ProcessSample, sampleOf } from './processes.ts';

/** A third of the share of others under load. */
export const niceness = 5;
const last = 19;

/** Users' code yields to the server, and is killed first when the machine runs out of memory. */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // It has ended already, or is a bubblewrap with root's rights, which cannot be changed.
  }
}

/**
 * Where Linux shares processors among sessions (autogroups), a process's niceness only counts within its session, and
 * users' code can create another session. So each session of a sandbox gets a lower priority as a whole, however many
 * processes it has.
 */
export class Sessions {
  readonly #known = new Set<number>();

  constructor() {
    // The sandbox's first process is in our session until it has its own.
    const own = sampleOf('self');
    if (own) this.#known.add(own.session);
  }

  giveWay(tree: ProcessSample[]): void {
    for (const { pid, session } of tree) {
      if (!this.#known.has(session) && setSession(pid, niceness)) this.#known.add(session);
    }
  }

  /** Gives it the lowest priority, because ending very many processes takes more processor time than they have used. */
  goLast(tree: ProcessSample[]): void {
    const own = sampleOf('self')?.session;
    for (const { pid, session } of tree) if (session !== own) setSession(pid, last);
  }
}

/** Returns false when it should be tried again. */
function setSession(pid: number, value: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(value));
    return true;
  } catch (error) {
    // EAGAIN means too many changes at once. Otherwise there are no autogroups, or the process has ended.
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN';
  }
}
