import { Worker } from 'node:worker_threads';
import type { WireMessage } from '../wire/message.ts';
import type { Decoded, ToDecode } from './decode-worker.ts';

interface Waiting {
  take(message: WireMessage): void;
  done(isTooLarge: boolean): void;
}

/** Decodes large messages in a thread, one after another, and delivers long texts in parts. */
class Decoder {
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  /** Resolves with true when it is too large to show; an invalid message is dropped silently. */
  decode(frames: Uint8Array[], key: string, take: (message: WireMessage) => void): Promise<boolean> {
    this.#worker ??= this.#start();
    this.#next += 1;
    const id = this.#next;
    this.#worker.ref();
    const message: ToDecode = { id, frames, key };
    // Transfer a large buffer instead of copying it, because no other code uses it.
    const whole = frames.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength);
    this.#worker.postMessage(message, whole.map(({ buffer }) => buffer) as ArrayBuffer[]);
    return new Promise((resolve) => this.#waiting.set(id, { take, done: resolve }));
  }

  #start(): Worker {
    const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 2048 },
    });
    worker.on('message', ({ id, message, isTooLarge }: Decoded) => {
      const waiting = this.#waiting.get(id);
      if (message) return waiting?.take(message);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
      waiting?.done(isTooLarge);
    });
    // A message that crashes the worker counts as too large, and the next one gets a new worker.
    const lost = () => {
      if (this.#worker === worker) this.#worker = null;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { done } of waiting) done(true);
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    return worker;
  }
}

export const decoder = new Decoder();
