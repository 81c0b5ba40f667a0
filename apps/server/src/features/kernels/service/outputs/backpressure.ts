import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** So much is stored as fast as it comes, in portions of this size; then in small ones, with rests in between. */
const burstBytes = 1024 ** 2;
const portionBytes = 256 * 1024;
const smallBytes = 64 * 1024;
/** A rest is longer the more this process has to do for others, and at least so many times as long as storing took. */
const shortestRestMs = 20;
const restMsWhenBusy = 1_500;
const restTimes = 2;
const longestRestMs = 250;
/** Others are taken to be there until it is seen that they are not: after about this long. */
const supposedLoad = 0.1;
const memoryMs = 500;
const hurryMs = 3_000;

/** Who goes on to say very much must not keep everybody else waiting; alone, nobody has to wait for them. */
export class Backpressure {
  #bytes = 0;
  #load = supposedLoad;
  #hurriesUntil = 0;
  #rest: AbortController | null = null;
  readonly #isAwaited: () => boolean;

  /** Whether somebody waits to be told what comes last. */
  constructor(isAwaited: () => boolean) {
    this.#isAwaited = isAwaited;
  }

  /** How much to take at once. */
  get portion(): number {
    return this.#isFlood ? smallBytes : portionBytes;
  }

  get #isFlood(): boolean {
    return this.#bytes > burstBytes && !this.#isAwaited() && performance.now() > this.#hurriesUntil;
  }

  /** For a while: it has been told to end. */
  hurry(): void {
    this.#hurriesUntil = performance.now() + hurryMs;
    this.wake();
  }

  wake(): void {
    this.#rest?.abort();
  }

  /** Nothing is left to be stored. */
  caughtUp(): void {
    this.#bytes = 0;
    this.#load = supposedLoad;
  }

  /** After a portion, which took so long to store; rests if it is time to. */
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
