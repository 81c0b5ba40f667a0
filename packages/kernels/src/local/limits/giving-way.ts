import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type ProcessSample, sampleOf } from './processes.ts';

/** A third of what others get, when there is not enough for all. */
export const niceness = 5;
const last = 19;

/** The server goes before the users' code; when the machine has no memory left, the users' code goes first. */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // It has ended already, or is a bubblewrap with root's rights, which does not let itself be touched.
  }
}

/**
 * Where Linux shares processors among sessions (autogroups), a process's own niceness counts within its session only, and
 * users' code can make itself another session. So each session of a sandbox gives way as one, however many processes it has.
 */
export class Sessions {
  readonly #known = new Set<number>();

  constructor() {
    // The sandbox's first process is in ours until it has one of its own.
    const own = sampleOf('self');
    if (own) this.#known.add(own.session);
  }

  giveWay(tree: ProcessSample[]): void {
    for (const { pid, session } of tree) {
      if (!this.#known.has(session) && setSession(pid, niceness)) this.#known.add(session);
    }
  }

  /** Its end, too, takes the processor: of very many processes longer than all they have done. */
  goLast(tree: ProcessSample[]): void {
    const own = sampleOf('self')?.session;
    for (const { pid, session } of tree) if (session !== own) setSession(pid, last);
  }
}

/** False when it is to be tried again. */
function setSession(pid: number, value: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(value));
    return true;
  } catch (error) {
    // Not so often, says Linux. Else there are none here, or it has ended already.
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN';
  }
}
