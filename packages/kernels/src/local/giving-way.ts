import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type ProcessSample, sampleOf } from './processes.ts';

/** The server goes first, then those who run users' code, then the users' code. */
const niceness = { host: 5, sandbox: 10 };

/** When the machine has no memory left, the users' code goes first. */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, niceness.sandbox);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // It has ended already, or is a bubblewrap with root's rights, which does not let itself be touched.
  }
}

/** To be called by the kernel host's process, which has a session of its own. */
export function giveWayToServer(): void {
  setPriority(niceness.host);
  setSession(process.pid, niceness.host);
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
      if (!this.#known.has(session) && setSession(pid, niceness.sandbox)) this.#known.add(session);
    }
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
