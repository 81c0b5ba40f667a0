import type { HostEvent } from '@atoll/kernels/client';
import { Backpressure } from './backpressure.ts';
import { countUpTo, isEnd, isQuestion } from './host-events.ts';

/** What is printed is told at once, but not more often than this. */
const gatherMs = 50;

/** What a kernel has said and is not taken in yet. It is taken in in order, one portion after the other. */
export class MessageBuffer {
  readonly #takeIn: (events: HostEvent[]) => Promise<void>;
  readonly #backpressure: Backpressure;
  #events: HostEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** Ends that were heard and not yet taken in: somebody waits to be told. */
  #ends = 0;
  #takingIn: Promise<void> | null = null;
  #isClosed = false;

  constructor(takeIn: (events: HostEvent[]) => Promise<void>, isEnding: () => boolean) {
    this.#takeIn = takeIn;
    this.#backpressure = new Backpressure(() => this.#ends > 0 || isEnding());
  }

  get lastSequence(): number {
    return this.#events.at(-1)?.sequence ?? 0;
  }

  /** What is not taken in yet is left to who listens next. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#events = [];
    if (this.#timer) clearTimeout(this.#timer);
    this.#backpressure.wake();
    await this.#takingIn;
  }

  add(event: HostEvent): void {
    if (this.#isClosed) return;
    this.#events.push(event);
    if (isEnd(event)) {
      this.#ends += 1;
      this.#backpressure.wake();
    }
    if (this.#takingIn) return;
    if (isEnd(event) || isQuestion(event)) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), gatherMs);
  }

  /** A rest that is being taken is over. */
  wake = (): void => this.#backpressure.wake();
  /** What was said until now is taken in without rests. */
  hurry = (): void => this.#backpressure.hurry();

  #start(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#takingIn) return;
    this.#takingIn = this.#takeInAll().finally(() => {
      this.#takingIn = null;
      // Heard after the last look and before this.
      if (this.#events.length > 0) this.#start();
    });
  }

  async #takeInAll(): Promise<void> {
    while (this.#events.length > 0) {
      const { count, bytes } = countUpTo(this.#events, this.#backpressure.portion);
      const began = performance.now();
      const events = this.#events.splice(0, count);
      for (const event of events) if (isEnd(event)) this.#ends -= 1;
      await this.#takeIn(events);
      if (this.#events.length === 0) this.#backpressure.caughtUp();
      else await this.#backpressure.stored(bytes, performance.now() - began);
    }
  }
}
