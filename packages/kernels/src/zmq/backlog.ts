/**
 * What a kernel publishes is taken off its hands at once, so it lies in our memory until it is read. Who has been read
 * without a pause for some time, or so much, says more than we can read, and has to be held until we are done.
 */
const longestRush = 200;
const mostBytes = 32_000_000;
/** A message that had to be waited for was not in the backlog. */
const waitMilliseconds = 2;
const emptyMilliseconds = 20;

export class Backlog {
  readonly #hold: (isHeld: boolean) => void;
  #rush = { since: performance.now(), bytes: 0 };
  #whenEmpty: NodeJS.Timeout | null = null;
  #busy = 0;
  #isClosed = false;

  constructor(hold: (isHeld: boolean) => void) {
    this.#hold = hold;
  }

  /** After each message has been dealt with. */
  read(waited: number, bytes: number): void {
    if (waited > waitMilliseconds) this.#forget();
    this.#rush.bytes += bytes;
    if (this.#whenEmpty) this.#whenEmpty.refresh();
    else if (performance.now() - this.#rush.since > longestRush || this.#rush.bytes > mostBytes) this.#holdUntilEmpty();
  }

  /** While it is, nothing is read: who is held goes on being held, and at once if that takes long. */
  busy(isBusy: boolean, isLong = false): void {
    this.#busy += isBusy ? 1 : -1;
    if (isLong && !this.#whenEmpty && !this.#isClosed) this.#holdUntilEmpty();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#whenEmpty) clearTimeout(this.#whenEmpty);
  }

  #holdUntilEmpty(): void {
    this.#hold(true);
    this.#whenEmpty = setTimeout(() => this.#release(), emptyMilliseconds);
  }

  #release(): void {
    if (this.#busy > 0) {
      this.#whenEmpty?.refresh();
      return;
    }
    this.#whenEmpty = null;
    this.#forget();
    this.#hold(false);
  }

  #forget(): void {
    this.#rush = { since: performance.now(), bytes: 0 };
  }
}
