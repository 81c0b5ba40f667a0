/** What the outbox uses of the official client's Channel. */
export interface OutboxChannel {
  joinPush: { receive(status: string, callback: (response: unknown) => void): unknown };
  push(event: string, payload: object, timeout?: number): OutboxPush;
  canPush(): boolean;
  onClose(callback: () => void): unknown;
}

export interface OutboxPush {
  receive(status: string, callback: (response: unknown) => void): OutboxPush;
}

export interface OutboxOptions {
  /** How many commands may be unanswered at once. */
  maxInFlight?: number;
  /** Stays below what the server takes from one connection, also when an hour's work goes out at once. */
  perSecond?: number;
  burst?: number;
  newId?(): string;
}

export interface SendOptions {
  /** After that it is given up: it may or may not have been done. Without it, it waits for the connection for ever. */
  timeoutMs?: number;
}

export interface Outbox {
  /** Adds `request_id`; resolves with the reply's response. Rejects with an OutboxError. */
  send(event: string, payload: object, options?: SendOptions): Promise<unknown>;
  /** Not yet answered. */
  readonly size: number;
  /** Called at each change of `size`, for a "saving…" sign; returns how to stop. */
  onChange(listener: (size: number) => void): () => void;
}

export class OutboxError extends Error {
  readonly kind: 'refused' | 'timeout' | 'closed';
  /** The server's, when it refused. */
  readonly response: unknown;

  constructor(kind: OutboxError['kind'], response?: unknown) {
    super(`Command ${kind}`);
    this.name = 'OutboxError';
    this.kind = kind;
    this.response = response;
  }
}
