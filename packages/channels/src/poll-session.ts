import type { ServerResponse } from 'node:http';
import type { Transport } from './connection.ts';
import type { Outgoing } from './encode.ts';

/** Any other status makes a client stop polling silently. */
export type PollStatus = 200 | 204 | 403 | 408 | 410 | 500;

export interface PollAnswer {
  status: PollStatus;
  token?: string;
  messages?: string[];
}

export function answer(response: ServerResponse, body: PollAnswer): void {
  if (response.headersSent || response.destroyed) return;
  // The client reads the status from the body only.
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** The waiting messages of one client that polls, and its held poll. */
export class PollSession implements Transport {
  readonly name = 'longpoll';
  readonly token: string;
  readonly #windowMs: number;
  readonly #onGone: () => void;
  #messages: string[] = [];
  #queuedBytes = 0;
  #waiting: ServerResponse | null = null;
  #windowEnd: NodeJS.Timeout | undefined;
  #heardAt = performance.now();
  #closed: PollStatus | null = null;
  #isFlushing = false;

  constructor(token: string, windowMs: number, onGone: () => void) {
    this.token = token;
    this.#windowMs = windowMs;
    this.#onGone = onGone;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get isOpen(): boolean {
    return this.#closed === null;
  }

  send(message: Outgoing): void {
    const text = message.text;
    this.#messages.push(text);
    this.#queuedBytes += text.length;
    if (!this.#waiting || this.#isFlushing) return;
    // More messages of this turn go into the same answer.
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  poll(response: ServerResponse): void {
    this.#answerWaiting({ status: 204, token: this.token });
    this.#waiting = response;
    this.#windowEnd = setTimeout(
      () => this.#answerWaiting({ status: 204, token: this.token, messages: [] }),
      this.#windowMs,
    );
    response.once('close', () => {
      if (this.#waiting === response) this.#forgetWaiting();
    });
    this.#flush();
  }

  #flush(): void {
    if (!this.#waiting) return;
    if (this.#messages.length > 0) {
      const messages = this.#messages;
      this.#messages = [];
      this.#queuedBytes = 0;
      this.#answerWaiting({ status: 200, token: this.token, messages });
    } else if (this.#closed !== null) {
      this.#answerWaiting({ status: this.#closed });
      this.#onGone();
    }
  }

  #answerWaiting(body: PollAnswer): void {
    const response = this.#waiting;
    if (!response) return;
    this.#forgetWaiting();
    answer(response, body);
  }

  #forgetWaiting(): void {
    this.#waiting = null;
    this.#heardAt = performance.now();
    clearTimeout(this.#windowEnd);
  }

  /** Delivers queued messages first; the poll after that gets the status. */
  close(code: number): void {
    this.#closed = code === 1008 ? 403 : 410;
    this.#flush();
  }

  terminate(): void {
    this.#answerWaiting({ status: 410 });
    this.#onGone();
  }

  // Posts wait for room themselves.
  pause(): void {}
  resume(): void {}

  isIdle(now: number): boolean {
    return !this.#waiting && now - this.#heardAt > 1.5 * this.#windowMs;
  }
}
