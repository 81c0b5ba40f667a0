import { type ChannelHost, ServerChannel } from './channel.ts';
import { decodeBinary, decodeText, type Incoming } from './decode.ts';
import { encodeReply, type Outgoing } from './encode.ts';
import type { Hub, HubConnection } from './hub.ts';
import type { Payload, TransportName } from './types.ts';

/** Carries the messages of one connection. */
export interface Transport {
  readonly name: TransportName;
  readonly queuedBytes: number;
  send(message: Outgoing): void;
  close(code: number, reason: string): void;
  terminate(): void;
  pause(): void;
  resume(): void;
  /** Whether the other side has been silent for too long. */
  isIdle(now: number): boolean;
}

const reservedEvents = new Set(['phx_reply', 'phx_close', 'phx_error']);

export class ServerConnection<Identity> implements ChannelHost<Identity>, HubConnection<Identity> {
  readonly number: number;
  readonly identity: Identity;
  readonly #hub: Hub<Identity>;
  readonly #transport: Transport;
  readonly #channels = new Map<string, ServerChannel<Identity>>();
  #isOpen = true;
  #closedAt = 0;
  #pending = 0;
  #whenRoom: (() => void)[] | null = null;
  #allowance: number;
  #allowanceAt = performance.now();

  constructor(hub: Hub<Identity>, transport: Transport, identity: Identity) {
    this.#hub = hub;
    this.#transport = transport;
    this.identity = identity;
    this.number = hub.nextNumber();
    this.#allowance = hub.limits.messageBurst;
    hub.connections.add(this);
  }

  get id(): string {
    return `${this.#hub.id}.${this.number}`;
  }

  get transport(): TransportName {
    return this.#transport.name;
  }

  get queuedBytes(): number {
    return this.#transport.queuedBytes;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isFull(): boolean {
    return this.#pending >= this.#hub.limits.maxCommandsInFlight;
  }

  /** Resolves when there is room for another command, or the connection has closed. */
  room(): Promise<void> {
    if (!this.isFull || !this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenRoom ??= [];
      this.#whenRoom.push(resolve);
    });
  }

  receiveText(text: string): void {
    if (!this.#isOpen || this.#isFlooded()) return;
    const isTooLarge = text.length > this.#hub.limits.maxFrameBytes;
    const message = isTooLarge ? null : decodeText(text);
    if (message) this.#receive(message);
    else if (isTooLarge) this.#refuse('too large', 1009);
    else this.#refuse('malformed', 1007);
  }

  receiveBinary(bytes: Uint8Array): void {
    if (!this.#isOpen || this.#isFlooded()) return;
    const isTooLarge = bytes.length > this.#hub.limits.maxFrameBytes;
    const message = isTooLarge ? null : decodeBinary(bytes);
    if (message) this.#receive(message);
    else if (isTooLarge) this.#refuse('too large', 1009);
    else this.#refuse('malformed', 1003);
  }

  #isFlooded(): boolean {
    const now = performance.now();
    const { messagesPerSecond, messageBurst } = this.#hub.limits;
    const refilled = this.#allowance + ((now - this.#allowanceAt) * messagesPerSecond) / 1000;
    this.#allowance = Math.min(messageBurst, refilled) - 1;
    this.#allowanceAt = now;
    if (this.#allowance >= 0) return false;
    this.#refuse('flood', 1008);
    return true;
  }

  #refuse(reason: string, code: number): void {
    this.#hub.refuse(reason);
    this.close(code, reason);
  }

  #receive(message: Incoming): void {
    const { topic, event } = message;
    if (topic === 'phoenix' && event === 'heartbeat') this.#reply(null, message, 'ok', {});
    else if (message.unsafe) this.#deny(message, message.joinRef, 'invalid payload');
    else if (event === 'phx_join') this.#join(message);
    else this.#dispatch(message, this.#channels.get(topic));
  }

  #dispatch(message: Incoming, channel: ServerChannel<Identity> | undefined): void {
    const { joinRef, event } = message;
    if (!channel) {
      if (event === 'phx_leave') this.#reply(joinRef, message, 'ok', {});
      else this.#deny(message, null, 'unmatched topic');
      return;
    }
    // The message was meant for a channel that has been replaced since.
    if (joinRef !== null && joinRef !== channel.joinRef) return;
    if (reservedEvents.has(event)) {
      this.#deny(message, joinRef, 'reserved event');
      return;
    }
    this.#take();
    channel.receive(message);
  }

  #join(message: Incoming): void {
    const { topic, payload } = message;
    const joinRef = message.joinRef ?? message.ref;
    if (joinRef === null || payload instanceof Uint8Array) {
      this.#refuse('malformed', 1007);
      return;
    }
    const handler = this.#route(topic);
    if (!handler) {
      this.#deny(message, null, 'unmatched topic');
      return;
    }
    this.#channels.get(topic)?.replace();
    if (this.#channels.size >= this.#hub.limits.maxChannels) {
      this.#deny(message, joinRef, 'too many channels joined');
      return;
    }
    const channel = new ServerChannel(this.#hub, this, handler, topic, joinRef);
    this.#channels.set(topic, channel);
    this.#take();
    void channel.join(payload);
  }

  #route(topic: string) {
    if (topic === 'phoenix') return null;
    try {
      return this.#hub.options.route(topic);
    } catch (error) {
      this.#hub.report(error, { during: 'route', topic });
      return null;
    }
  }

  #deny(message: Incoming, joinRef: string | null, reason: string): void {
    this.#hub.refuse(reason);
    this.#reply(joinRef, message, 'error', { reason });
  }

  #reply(joinRef: string | null, { ref, topic }: Incoming, status: string, response: Payload): void {
    if (ref !== null) this.send(encodeReply(joinRef, ref, topic, status, response));
  }

  #take(): void {
    this.#hub.commands++;
    this.#pending++;
    if (this.#pending === this.#hub.limits.maxCommandsInFlight) this.#transport.pause();
  }

  release(count: number): void {
    if (count === 0) return;
    const wasFull = this.isFull;
    this.#hub.commands -= count;
    this.#pending -= count;
    if (wasFull && !this.isFull) {
      if (this.#isOpen) this.#transport.resume();
      for (const resolve of this.#whenRoom?.splice(0) ?? []) resolve();
    }
    this.#hub.settle();
  }

  forget(channel: ServerChannel<Identity>): void {
    if (this.#channels.get(channel.topic) === channel) this.#channels.delete(channel.topic);
  }

  send(message: Outgoing): void {
    if (!this.#isOpen) return;
    if (this.#transport.queuedBytes > this.#hub.limits.maxQueuedBytes) {
      this.#hub.slowClosed++;
      this.close(1013, 'slow');
      return;
    }
    this.#transport.send(message);
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#transport.close(code, reason);
    this.#end('drop');
  }

  /** The other side has disconnected, or the protocol below has failed; the transport is closing by itself. */
  lost(): void {
    if (this.#isOpen) this.#end('finish');
  }

  /** The transport has nothing left to deliver. */
  gone(): void {
    this.lost();
    this.#hub.connections.delete(this);
    this.#hub.settle();
  }

  terminate(): void {
    this.#transport.terminate();
  }

  sweep(now: number): void {
    if (!this.#isOpen) {
      if (now - this.#closedAt > this.#hub.limits.closeTimeoutMs) this.terminate();
    } else if (this.#transport.isIdle(now)) {
      this.#hub.idleClosed++;
      // A client that stopped polling has gone; a silent socket can still receive the close code.
      if (this.transport === 'longpoll') this.terminate();
      else this.close(1001, 'idle');
    }
  }

  #end(commands: 'finish' | 'drop'): void {
    this.#isOpen = false;
    this.#closedAt = performance.now();
    for (const channel of [...this.#channels.values()]) channel.end('disconnected', commands);
    for (const resolve of this.#whenRoom?.splice(0) ?? []) resolve();
  }
}
