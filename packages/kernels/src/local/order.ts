import { readFileSync } from 'node:fs';

/** Of one processor: who has used so much at two looks in a row computes; who uses less than the second rests. */
const much = 0.25;
const little = 0.1;
const looksUntilLast = 2;
/** Of the machine: so much has to be left by all others. */
const leastLeft = 0.5;
/** Linux counts in hundredths of a second: of less time nothing can be said. */
const shortestSeconds = 0.2;
const ticksPerSecond = 100;

interface Ranked {
  goLast(isLast: boolean): void;
}
/** Until now, in seconds: the second is the part that its own code has used, and not the system for it. */
interface Used {
  all: number;
  own: number;
}
interface Seen {
  used: Used;
  looks: number;
  isLast: boolean;
}

/**
 * Who computes on and on goes behind all others, who then hardly notice it. But only as long as those leave half of the
 * machine: on a busy one it would stand still, and has its share instead. Only what is computed counts: whoever is in the
 * middle of writing a file holds what others wait for, and must come to its end.
 */
export class Order {
  readonly #seen = new WeakMap<Ranked, Seen>();
  readonly #read: () => { idle: number; all: number };
  #machine: { idle: number; all: number };
  #at: number | null = null;

  /** Seconds of all processors since the machine started. */
  constructor(read = machineSeconds) {
    this.#read = read;
    this.#machine = read();
  }

  see(all: Map<Ranked, Used>, at: number): void {
    const seconds = at - (this.#at ?? Number.NEGATIVE_INFINITY);
    if (seconds < shortestSeconds) return;
    this.#at = at;
    const machine = this.#read();
    const total = machine.all - this.#machine.all;
    let left = machine.idle - this.#machine.idle;
    this.#machine = machine;
    const shares = [...all].map(([ranked, used]) => {
      const seen = this.#of(ranked, used);
      left += Math.max(0, used.all - seen.used.all);
      const share = (used.own - seen.used.own) / seconds;
      seen.used = used;
      return { ranked, seen, share };
    });
    const isRoom = left >= leastLeft * total;
    for (const { ranked, seen, share } of shares) {
      seen.looks = share >= much ? seen.looks + 1 : share < little ? 0 : seen.looks;
      this.#put(ranked, seen, isRoom && seen.looks >= looksUntilLast);
    }
  }

  /** At once: it takes over the machine, or is about to end with very many processes. */
  last(ranked: Ranked): void {
    const seen = this.#of(ranked, { all: 0, own: 0 });
    seen.looks = looksUntilLast;
    this.#put(ranked, seen, true);
  }

  #of(ranked: Ranked, used: Used): Seen {
    const seen = this.#seen.get(ranked) ?? { used, looks: 0, isLast: false };
    this.#seen.set(ranked, seen);
    return seen;
  }

  #put(ranked: Ranked, seen: Seen, isLast: boolean): void {
    if (seen.isLast === isLast) return;
    seen.isLast = isLast;
    ranked.goLast(isLast);
  }
}

function machineSeconds(): { idle: number; all: number } {
  const [, ...ticks] = (readFileSync('/proc/stat', 'latin1').split('\n', 1)[0] ?? '').split(/\s+/).map(Number);
  const seconds = ticks.slice(0, 8).map((each) => each / ticksPerSecond);
  // Idle, and waiting for a disk.
  return { idle: (seconds[3] ?? 0) + (seconds[4] ?? 0), all: seconds.reduce((sum, each) => sum + each, 0) };
}
