import { CommandError, type CommandQueue, createCommandQueue } from '@atoll/channels/client';
import type { Joined } from '@atoll/contract';
import type { Channel, Presence } from 'phoenix';
import { busyRetry, commandTimeoutMs, joinTimeoutMs, socketWait } from './constants.ts';
import {
  commandFailed,
  joinFailed,
  notConnected,
  type RealtimeError,
  type Refusal,
  retryWhileBusy,
  waitUntil,
} from './errors.ts';
import { createPositions } from './positions.ts';
import type { LiveSocket } from './socket.ts';

export type Payload = Record<string, unknown>;

/** A person in a topic, as its channel reports them. */
export interface Present {
  key: string;
  metas: Payload[];
}

export interface Subscriber {
  onEvent(event: string, payload: Payload): void;
  /** `isGap`: the loaded data may be out of date, and no event will report the missed changes. */
  onJoined(joined: Payload, isGap: boolean): void;
  /** The server refuses this client, or no longer accepts it. */
  onLost(error: RealtimeError): void;
  onPresence(present: Present[]): void;
}

export interface SendOptions {
  /** Null: a writing command waits for the connection without a limit. */
  timeoutMs?: number | null;
}

export interface Live {
  socket: LiveSocket;
  Presence: typeof Presence;
}

interface TopicOutline {
  hasPresence: boolean;
  isPassing: boolean;
  writing: string[];
}

/** Refusals that may be different the next time; the client retries them by itself. */
const passing = new Set(['busy', 'join crashed', 'too_many_requests', 'service_unavailable', 'internal_server_error']);

/** One topic, joined once however many parts of the page follow it. */
export class LiveTopic {
  readonly name: string;
  private readonly outline: TopicOutline;
  private readonly onEnd: () => void;
  private readonly subscribers = new Set<Subscriber>();
  private positions: ReturnType<typeof createPositions>;
  private channel: Channel | null = null;
  private commandQueue: CommandQueue | null = null;
  private joined: Payload | null = null;
  private present: Present[] | null = null;

  /** `lastSeen`: changes up to this position are already in the loaded data. */
  constructor(name: string, outline: TopicOutline, onEnd: () => void, lastSeen?: number) {
    this.name = name;
    this.outline = outline;
    this.onEnd = onEnd;
    this.positions = createPositions(lastSeen);
  }

  get isFollowed(): boolean {
    return this.subscribers.size > 0;
  }

  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
    if (this.joined) subscriber.onJoined(this.joined, true);
    if (this.present) subscriber.onPresence(this.present);
  }

  remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
  }

  /** `firstSeen`: used as `lastSeen`, where no other position is known. */
  attach({ socket, Presence }: Live, firstSeen?: number): void {
    if (firstSeen !== undefined && this.positions.isUnknown()) this.positions = createPositions(firstSeen);
    const channel = socket.channel(this.name, () => this.positions.params());
    this.channel = channel;
    channel.onMessage = (event, payload) => {
      if (this.channel === channel) this.receive(event, payload as Payload);
      return payload;
    };
    if (this.outline.hasPresence) {
      const presence = new Presence(channel);
      presence.onSync(() => {
        this.present = presence.list((key, { metas }) => ({ key, metas }));
        for (const subscriber of this.subscribers) subscriber.onPresence(this.present);
      });
    }
    this.commandQueue = createCommandQueue(channel);
    channel
      .join(joinTimeoutMs)
      .receive('ok', (reply: Joined) => this.channel === channel && this.welcome(reply))
      .receive('error', (refusal: Refusal) => {
        if (this.channel === channel && !passing.has(refusal.reason ?? '')) this.end(joinFailed(refusal));
      })
      .receive('timeout', () => console.warn(joinFailed().message, this.name));
    channel.onClose(() => this.channel === channel && this.end(notConnected()));
  }

  /** The connection belonged to another person, so the next one starts from the beginning. */
  detach(): void {
    const { channel } = this;
    this.channel = null;
    this.commandQueue = null;
    this.joined = null;
    this.present = null;
    this.positions = createPositions();
    channel?.leave();
  }

  /**
   * Sends writing commands through the command queue, so that each is carried out once even when a connection is lost;
   * other commands are sent again.
   */
  async send(command: string, payload: Payload, options: SendOptions = {}): Promise<unknown> {
    if (!this.channel) throw notConnected();
    const timeoutMs = options.timeoutMs === undefined ? commandTimeoutMs : options.timeoutMs;
    return retryWhileBusy(
      () =>
        this.outline.writing.includes(command)
          ? this.write(command, payload, timeoutMs)
          : this.ask(command, payload, timeoutMs ?? commandTimeoutMs),
      busyRetry,
    );
  }

  /** Sends a message only if connected, because it is out of date a moment later. */
  sendIfConnected(command: string, payload: Payload): void {
    if (this.channel?.canPush()) this.channel.push(command, payload, commandTimeoutMs);
  }

  private async write(command: string, payload: Payload, timeoutMs: number | null): Promise<unknown> {
    try {
      if (!this.commandQueue) throw notConnected();
      return await this.commandQueue.send(command, payload, timeoutMs === null ? {} : { timeoutMs });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (error.kind === 'closed') throw notConnected();
      if (error.kind === 'timeout') throw commandFailed();
      throw commandFailed(error.kind === 'refused' ? (error.response as Refusal) : { reason: error.kind });
    }
  }

  private async ask(command: string, payload: Payload, timeoutMs: number): Promise<unknown> {
    await waitUntil(() => this.channel?.canPush() ?? false, socketWait);
    const { channel } = this;
    if (!channel) throw notConnected();
    return new Promise((resolve, reject) => {
      channel
        .push(command, payload, timeoutMs)
        .receive('ok', resolve)
        .receive('error', (refusal: Refusal) => reject(commandFailed(refusal)))
        .receive('timeout', () => reject(commandFailed()));
    });
  }

  private welcome(reply: Joined): void {
    const { missed, isGap } = this.positions.joined(reply);
    this.joined = reply;
    for (const subscriber of this.subscribers) subscriber.onJoined(reply, isGap);
    for (const { event, payload } of missed) this.deliver(event, payload);
  }

  /** Acts as after a new join with the current rights. */
  private rejoined(changed: Payload): void {
    if (!this.joined) return;
    this.joined = { ...this.joined, ...changed };
    for (const subscriber of this.subscribers) subscriber.onJoined(this.joined, false);
  }

  private receive(event: string, payload: Payload): void {
    if (event === 'access_lost') this.end(joinFailed(payload as Refusal));
    else if (event === 'rights_changed') this.rejoined(payload);
    else if (typeof payload?.position === 'number' && !event.startsWith('chan_reply_')) {
      if (this.positions.take(payload.position)) this.deliver(event, payload);
    } else if (this.outline.isPassing && !/^(phx_|chan_reply_)/.test(event)) this.deliver(event, payload);
  }

  private deliver(event: string, payload: Payload): void {
    for (const subscriber of this.subscribers) subscriber.onEvent(event, payload);
  }

  private end(error: RealtimeError): void {
    this.detach();
    this.onEnd();
    for (const subscriber of this.subscribers) subscriber.onLost(error);
  }
}
