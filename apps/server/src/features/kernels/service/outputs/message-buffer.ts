import type { HostEvent } from '@atoll/kernels/client';
import { Backpressure } from './backpressure.ts';
import { countUpTo, isEnd, isQuestion } from './host-events.ts';

/** Output is published at once, but not more often than this. */
const gatherMs = 50;

/** A kernel's received events that are not stored yet. They are stored in order, one portion after the other. */
export class MessageBuffer {
  readonly #takeIn: (events: HostEvent[]) => Promise<void>;
  readonly #backpressure: Backpressure;
  #events: HostEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** End events in the buffer, because a person waits for them. */
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

  /** Drops the events that are not stored yet; the next subscriber gets them again. */
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

  /** Ends the current rest. */
  wake = (): void => this.#backpressure.wake();
  /** Stores the buffered events without rests. */
  hurry = (): void => this.#backpressure.hurry();

  #start(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#takingIn) return;
    this.#takingIn = this.#takeInAll().finally(() => {
      this.#takingIn = null;
      // An event arrived after the last check and before this.
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
