import { randomBytes } from 'node:crypto';
import type { Outgoing } from './encode.ts';
import type { Channel, ChannelServerOptions, Connection, ErrorPlace, Limits } from './types.ts';

const defaultLimits: Limits = {
  maxFrameBytes: 64 * 1024,
  maxChannels: 100,
  maxConnections: 50_000,
  maxQueuedBytes: 1024 * 1024,
  messagesPerSecond: 100,
  messageBurst: 500,
  maxCommandsInFlight: 32,
  handshakeTimeoutMs: 10_000,
  joinTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  closeTimeoutMs: 5_000,
  pollWindowMs: 10_000,
  drainBatch: 500,
  drainIntervalMs: 100,
};

export interface Subscriber<Identity> extends Channel<Identity> {
  readonly number: number;
  deliver(message: Outgoing, position: number | undefined): void;
  /** Counts the position as delivered. */
  pass(position: number | undefined): void;
  /** Sent like a push, with a payload that is JSON already. */
  pushJson(event: string, json: string): void;
}

export interface HubConnection<Identity> extends Connection<Identity> {
  readonly isOpen: boolean;
  readonly queuedBytes: number;
  terminate(): void;
  sweep(now: number): void;
}

export interface Joining {
  readonly joinBegan: number;
  expireJoin(): void;
}

/** The state that all connections of a server share. */
export class Hub<Identity> {
  readonly id = randomBytes(6).toString('hex');
  readonly options: ChannelServerOptions<Identity>;
  readonly limits: Limits;
  readonly connections = new Set<HubConnection<Identity>>();
  readonly topics = new Map<string, Set<Subscriber<Identity>>>();
  readonly joining = new Set<Joining>();
  readonly endListeners = new Set<(channel: Channel<Identity>) => void>();
  readonly refused: Record<string, number> = {};
  /** Joins and commands that run or wait. */
  commands = 0;
  slowClosed = 0;
  idleClosed = 0;
  isClosing = false;
  #lastNumber = 0;
  #whenQuiet: (() => void)[] = [];
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: ChannelServerOptions<Identity>) {
    this.options = options;
    this.limits = { ...defaultLimits, ...options.limits };
    // One timer for all: a timer for each of many thousand sockets costs more than the sockets do.
    const { idleTimeoutMs, joinTimeoutMs, closeTimeoutMs, pollWindowMs } = this.limits;
    const every = Math.min(idleTimeoutMs, joinTimeoutMs, closeTimeoutMs, pollWindowMs) / 4;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(Math.max(every, 5), 5_000)).unref();
  }

  nextNumber(): number {
    return ++this.#lastNumber;
  }

  refuse(reason: string): void {
    this.refused[reason] = (this.refused[reason] ?? 0) + 1;
  }

  report(error: unknown, where: ErrorPlace): void {
    try {
      this.options.onError(error, where);
    } catch {
      // A failing error listener must not end the connections of others.
    }
  }

  subscribe(channel: Subscriber<Identity>): void {
    const channels = this.topics.get(channel.topic);
    if (channels) channels.add(channel);
    else this.topics.set(channel.topic, new Set([channel]));
  }

  ended(channel: Subscriber<Identity>): void {
    const channels = this.topics.get(channel.topic);
    if (channels?.delete(channel) && channels.size === 0) this.topics.delete(channel.topic);
    for (const listener of this.endListeners) {
      try {
        listener(channel);
      } catch (error) {
        this.report(error, { during: 'left', topic: channel.topic });
      }
    }
  }

  /** Called after each finished command and each closed connection. */
  settle(): void {
    if (this.commands > 0 || this.connections.size > 0) return;
    for (const resolve of this.#whenQuiet.splice(0)) resolve();
  }

  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenQuiet.push(resolve);
      this.settle();
    });
  }

  stop(): void {
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    const now = performance.now();
    for (const join of this.joining) if (now - join.joinBegan > this.limits.joinTimeoutMs) join.expireJoin();
    for (const connection of this.connections) connection.sweep(now);
  }
}
