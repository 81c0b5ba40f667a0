/**
 * We take a kernel's messages over at once, so they fill our memory until they are read. A kernel that keeps us reading
 * without a pause for so long, or so much, sends more than we can read, and is held until we are done.
 */
const longestRush = 200;
const mostBytes = 32_000_000;
/** A message that we had to wait for was not in the backlog. */
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

  /** Call it after each processed message. */
  read(waited: number, bytes: number): void {
    if (waited > waitMilliseconds) this.#forget();
    this.#rush.bytes += bytes;
    if (this.#whenEmpty) this.#whenEmpty.refresh();
    else if (performance.now() - this.#rush.since > longestRush || this.#rush.bytes > mostBytes) this.#holdUntilEmpty();
  }

  /** While it is busy, nothing is read: a held kernel stays held, and a long decoding holds it at once. */
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
