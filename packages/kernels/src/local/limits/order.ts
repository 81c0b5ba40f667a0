import { readFileSync } from 'node:fs';

/** Shares of one processor: more than `much` at two looks in a row is a computation; less than `little` is rest. */
const much = 0.25;
const little = 0.1;
const looksUntilLast = 2;
/** The share of the machine that all others must leave. */
const leastLeft = 0.5;
/** Linux counts in hundredths of a second, so shorter periods give no result. */
const shortestSeconds = 0.07;
const ticksPerSecond = 100;

interface Ranked {
  goLast(isLast: boolean): void;
}
/** Seconds used until now: `own` is the part of its own code, without the system's work for it. */
interface Used {
  all: number;
  own: number;
}
interface Seen {
  used: Used;
  looks: number;
  isLast: boolean;
  isForGood: boolean;
}
/** Seconds of all processors that we may use, since the machine started. */
interface Machine {
  idle: number;
  all: number;
}

/**
 * Gives long computations the lowest priority, so that others hardly notice them. This applies only while the others leave
 * half of the machine: on a busy one a computation would stand still, and keeps its share instead. Only its own computing
 * counts, because a process that is writing a file holds locks that others wait for, and must finish.
 */
export class Order {
  readonly #seen = new WeakMap<Ranked, Seen>();
  readonly #read: () => Machine | null;
  #machine: Machine | null = null;
  #at = Number.NEGATIVE_INFINITY;
  #isUndecided = false;

  constructor(read: () => Machine | null = machineSeconds) {
    this.#read = read;
  }

  see(all: Map<Ranked, Used>, at: number): void {
    const seconds = at - this.#at;
    if (seconds < shortestSeconds) return;
    this.#at = at;
    const before = this.#machine;
    this.#machine = this.#read();
    let left = before && this.#machine ? this.#machine.idle - before.idle : 0;
    this.#isUndecided = false;
    for (const [ranked, used] of all) {
      const seen = this.#of(ranked, used);
      const share = (used.own - seen.used.own) / seconds;
      seen.looks = share >= much ? seen.looks + 1 : share < little ? 0 : seen.looks;
      if (share >= much && seen.looks < looksUntilLast) this.#isUndecided = true;
      // The time used by kernels that are last is available to them; the time of others, short ones too, is not.
      if (seen.looks >= looksUntilLast) left += Math.max(0, used.all - seen.used.all);
      seen.used = used;
    }
    const isRoom = before && this.#machine && left >= leastLeft * (this.#machine.all - before.all);
    for (const ranked of all.keys()) {
      const seen = this.#seen.get(ranked);
      if (seen && !seen.isForGood) this.#put(ranked, seen, isRoom === true && seen.looks >= looksUntilLast);
    }
  }

  /** A kernel has begun to compute: an early next look makes the delay for others short. */
  get isUndecided(): boolean {
    return this.#isUndecided;
  }

  /** Puts it last at once, because it takes over the machine. It stays last as if it had computed. */
  last(ranked: Ranked): void {
    const seen = this.#of(ranked, { all: 0, own: 0 });
    seen.looks = looksUntilLast;
    this.#put(ranked, seen, true);
  }

  /** Keeps it last until its end, because ending very many processes takes longer than all their work. */
  lastForGood(ranked: Ranked): void {
    this.last(ranked);
    this.#of(ranked, { all: 0, own: 0 }).isForGood = true;
  }

  #of(ranked: Ranked, used: Used): Seen {
    const seen = this.#seen.get(ranked) ?? { used, looks: 0, isLast: false, isForGood: false };
    this.#seen.set(ranked, seen);
    return seen;
  }

  #put(ranked: Ranked, seen: Seen, isLast: boolean): void {
    if (seen.isLast === isLast) return;
    seen.isLast = isLast;
    ranked.goLast(isLast);
  }
}

/** Null where Linux does not report it. */
function machineSeconds(): Machine | null {
  try {
    const ours = allowedProcessors(readFileSync('/proc/self/status', 'latin1'));
    const machine = { idle: 0, all: 0 };
    for (const line of readFileSync('/proc/stat', 'latin1').split('\n')) {
      const [name = '', ...ticks] = line.split(/\s+/);
      if (!/^cpu\d/.test(name) || !ours(Number(name.slice(3)))) continue;
      // Leave out the guests' time, which is counted in the first values already. The fourth is idle, the fifth waits for a
      // disk.
      const seconds = ticks.slice(0, 8).map((each) => Number(each) / ticksPerSecond);
      machine.idle += (seconds[3] ?? 0) + (seconds[4] ?? 0);
      machine.all += seconds.reduce((sum, each) => sum + each, 0);
    }
    return machine;
  } catch {
    return null;
  }
}

/** Parses the format of `Cpus_allowed_list: 0-1,4`. */
function allowedProcessors(status: string): (processor: number) => boolean {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '';
  const ranges = list.split(',').map((range) => range.split('-').map(Number));
  return (processor) => ranges.some(([from = Number.NaN, to = from]) => processor >= from && processor <= to);
}
