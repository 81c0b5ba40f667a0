import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** This much is stored at full speed, in portions of this size; then in small ones, with rests in between. */
const burstBytes = 1024 ** 2;
const portionBytes = 256 * 1024;
const smallBytes = 64 * 1024;
/** A rest grows with this process's other work, and is at least this many times as long as storing took. */
const shortestRestMs = 20;
const restMsWhenBusy = 1_500;
const restTimes = 2;
const longestRestMs = 250;
/** The load is assumed until it has been measured: for about this long. */
const supposedLoad = 0.1;
const memoryMs = 500;
const hurryMs = 3_000;

/** Slows down a kernel with very much output, so that others need not wait; without others there is hardly a delay. */
export class Backpressure {
  #bytes = 0;
  #load = supposedLoad;
  #hurriesUntil = 0;
  #rest: AbortController | null = null;
  readonly #isAwaited: () => boolean;

  /** `isAwaited` returns whether a person waits for the last output. */
  constructor(isAwaited: () => boolean) {
    this.#isAwaited = isAwaited;
  }

  /** The number of bytes to take at once. */
  get portion(): number {
    return this.#isFlood ? smallBytes : portionBytes;
  }

  get #isFlood(): boolean {
    return this.#bytes > burstBytes && !this.#isAwaited() && performance.now() > this.#hurriesUntil;
  }

  /** Suspends rests for a while, because the execution is being stopped. */
  hurry(): void {
    this.#hurriesUntil = performance.now() + hurryMs;
    this.wake();
  }

  wake(): void {
    this.#rest?.abort();
  }

  /** Resets the state when everything is stored. */
  caughtUp(): void {
    this.#bytes = 0;
    this.#load = supposedLoad;
  }

  /** Call it after each portion with the time that storing took; it rests if necessary. */
  async stored(bytes: number, milliseconds: number): Promise<void> {
    this.#bytes += bytes;
    if (!this.#isFlood) return;
    const length = Math.max(shortestRestMs + restMsWhenBusy * this.#load, restTimes * milliseconds);
    const began = performance.now();
    const before = performance.eventLoopUtilization();
    this.#rest = new AbortController();
    await wait(Math.min(longestRestMs, length), undefined, { signal: this.#rest.signal }).catch(() => {});
    this.#rest = null;
    const { utilization } = performance.eventLoopUtilization(before);
    const weight = 1 - Math.exp((began - performance.now()) / memoryMs);
    this.#load += weight * (utilization - this.#load);
  }
}
