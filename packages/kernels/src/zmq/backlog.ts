/**
 * What a kernel publishes is taken off its hands at once, so it lies in our memory until it is read. Who has been read
 * without a pause for some time says more than we can read, and has to be held until we are done.
 */
const longestRush = 200;
/** A message that had to be waited for was not in the backlog. */
const waitMilliseconds = 2;
const emptyMilliseconds = 20;

export class Backlog {
  readonly #hold: (isHeld: boolean) => void;
  #rushSince = performance.now();
  #whenEmpty: NodeJS.Timeout | null = null;

  constructor(hold: (isHeld: boolean) => void) {
    this.#hold = hold;
  }

  /** After each message has been dealt with. */
  read(waited: number): void {
    const now = performance.now();
    if (waited > waitMilliseconds) this.#rushSince = now;
    if (this.#whenEmpty) this.#whenEmpty.refresh();
    else if (now - this.#rushSince > longestRush) {
      this.#hold(true);
      this.#whenEmpty = setTimeout(() => this.#release(), emptyMilliseconds);
    }
  }

  close(): void {
    if (this.#whenEmpty) clearTimeout(this.#whenEmpty);
  }

  #release(): void {
    this.#whenEmpty = null;
    this.#rushSince = performance.now();
    this.#hold(false);
  }
}
