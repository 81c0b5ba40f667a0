import { tooManyRequests } from '../errors.ts';

interface Rule {
  /** This many attempts do not wait, because people mistype. */
  free: number;
  longestMs: number;
}

/**
 * Limits on guesses at a password. Each guess beyond the free ones waits twice as long as the one before; no limit is
 * permanent.
 */
export const attemptRules = {
  /** From a device on which this person has signed in before, so that other people's guesses do not delay it. */
  device: { free: 10, longestMs: 30_000 },
  /** At one account from one address. */
  address: { free: 5, longestMs: 15 * 60_000 },
  /** At one account from all unknown devices. */
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

  /**
   * Counts the attempt before its outcome is known, so that parallel attempts are not all free; refuses with the seconds to
   * wait.
   */
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
    // Insert it at the end again, so that the first entry of the map is the one unused for longest.
    this.#guesses.delete(key);
    this.#guesses.set(key, { count: count + 1, lastAt: now });
    if (this.#guesses.size > mostRemembered) {
      const [oldest] = this.#guesses.keys();
      if (oldest !== undefined) this.#guesses.delete(oldest);
    }
  }

  /** Clears the count after a right guess. */
  forget(rule: RuleName, who: string): void {
    this.#guesses.delete(`${rule}:${who}`);
  }
}
