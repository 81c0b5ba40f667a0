/** What a kernel may use at once before it is held back: imports and the like go at full speed. */
const burstSeconds = 1;
/** Longer than this nobody is made to stand still in one go: its heartbeat and its sockets have to be served. */
const longestSeconds = 0.5;
const breathSeconds = 0.02;

/**
 * A share of the processors where there is no cgroup: whoever has used more than its share stands still until it is even.
 * `nice` would only say who goes first, and affinity can be undone by the user's code.
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

  /** How much processor time it has used until now, in seconds. */
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
