import { tooManyRequests } from '../errors.ts';

interface Rule {
  /** So many cost nothing: people mistype. */
  free: number;
  longestMs: number;
}

/** Guesses at a password. Each beyond the free ones waits twice as long as the one before, and none is refused for ever. */
export const attemptRules = {
  /** From a device on which this person has signed in before: others' guesses do not hold it up. */
  device: { free: 10, longestMs: 30_000 },
  /** At one account from one address. */
  address: { free: 5, longestMs: 15 * 60_000 },
  /** At one account from all devices that are not known. */
  account: { free: 50, longestMs: 60_000 },
} satisfies Record<string, Rule>;
type RuleName = keyof typeof attemptRules;

const forgottenAfterMs = 60 * 60_000;
const mostRemembered = 50_000;

interface Guesses {
  count: number;
  lastAt: number;
}

export class Attempts {
  readonly #guesses = new Map<string, Guesses>();
  readonly #now: () => number;
  readonly #scale: number;

  constructor(now: () => number, scale = 1) {
    this.#now = now;
    this.#scale = scale;
  }

  /** Counts one before its outcome is known, or refuses with the seconds to wait: many at once must not all be free. */
  begin(rule: RuleName, who: string): void {
    const key = `${rule}:${who}`;
    const now = this.#now();
    const known = this.#guesses.get(key);
    const { count, lastAt } = known && now - known.lastAt < forgottenAfterMs ? known : { count: 0, lastAt: now };
    const { free, longestMs } = attemptRules[rule];
    const over = count - free * this.#scale;
    const delayMs = over < 0 ? 0 : Math.min(1_000 * 2 ** Math.min(over, 20), longestMs);
    const waitMs = count === 0 ? 0 : lastAt + delayMs - now;
    if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1_000));
    // Again at the end: the first of the map is the one that was left alone for longest.
    this.#guesses.delete(key);
    this.#guesses.set(key, { count: count + 1, lastAt: now });
    if (this.#guesses.size > mostRemembered) {
      const [oldest] = this.#guesses.keys();
      if (oldest !== undefined) this.#guesses.delete(oldest);
    }
  }

  /** It was the right one. */
  forget(rule: RuleName, who: string): void {
    this.#guesses.delete(`${rule}:${who}`);
  }
}
