import { Worker } from 'node:worker_threads';
import type { WireMessage } from '../wire/message.ts';
import type { Decoded, ToDecode } from './decode-worker.ts';

interface Waiting {
  take(message: WireMessage): void;
  done(isTooLarge: boolean): void;
}

/** Reads large messages in a thread, one after another, and hands over long texts in parts. */
class Decoder {
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  /** Resolves with whether it was more than anybody can be shown; what is no message is left out without a word. */
  decode(frames: Uint8Array[], key: string, take: (message: WireMessage) => void): Promise<boolean> {
    this.#worker ??= this.#start();
    this.#next += 1;
    const id = this.#next;
    this.#worker.ref();
    const message: ToDecode = { id, frames, key };
    // A large one is not copied: it is nobody else's.
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
    // A message that ends it is not read: whoever waits is told so, and the next one gets another.
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
