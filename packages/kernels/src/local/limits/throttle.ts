/** The processor time that a kernel may use before it is held, so that imports run at full speed. */
const burstSeconds = 1;
/** A kernel is never suspended for longer than this, because its heartbeat and its sockets have to be served. */
const longestSeconds = 0.5;
const breathSeconds = 0.02;

/**
 * Limits the share of the processors where there is no cgroup: a kernel that has used more than its share is suspended
 * until it is even. `nice` would only set priorities, and the user's code can undo an affinity.
 */
export class Throttle {
  readonly #share: number;
  readonly #hold: (isHeld: boolean) => void;
  #allowance = burstSeconds;
  #last: { used: number; at: number } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(share: number, hold: (isHeld: boolean) => void) {
    this.#share = share;
    this.#hold = hold;
  }

  /** Records its processor time until now, in seconds. */
  see(used: number, at: number): void {
    if (this.#last) {
      const gained = (at - this.#last.at) * this.#share;
      this.#allowance = Math.min(burstSeconds, this.#allowance + gained - Math.max(0, used - this.#last.used));
    }
    this.#last = { used, at };
    if (this.#timer || this.#allowance >= 0) return;
    this.#holdFor(-this.#allowance / this.#share);
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #holdFor(seconds: number): void {
    const now = Math.min(longestSeconds, seconds);
    this.#hold(true);
    this.#timer = setTimeout(() => {
      this.#hold(false);
      const rest = seconds - now;
      this.#timer = rest > 0 ? setTimeout(() => this.#holdFor(rest), breathSeconds * 1000) : null;
    }, now * 1000);
  }
}
