import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An outgoing payload: an object is sent as JSON, a Uint8Array as bytes (as `{base64}` to a client that polls). */
export type Payload = object;

export type TransportName = 'websocket' | 'longpoll';

export interface Handshake {
  transport: TransportName;
  /** From the subprotocol or the X-Phoenix-AuthToken header, else the parameter `token`. Never log it. */
  token: string | null;
  /** From the query string, nested ones as the client writes them: `{'a[b]': 'c'}`. */
  params: Record<string, string>;
  origin: string | null;
  ip: string;
  userAgent: string;
  request: IncomingMessage;
}

export interface Limits {
  /** The size of one message from a client, text or binary. */
  maxFrameBytes: number;
  /** Joined or joining channels of one connection. */
  maxChannels: number;
  maxConnections: number;
  /** The bytes that may wait for one client that does not read; then it is closed with 1013 and has to reconnect. */
  maxQueuedBytes: number;
  /** Sustained rate and burst of messages from one connection; above, it is closed with 1008. */
  messagesPerSecond: number;
  messageBurst: number;
  /** Joins and commands of one connection that wait or run; above, it is not read from. */
  maxCommandsInFlight: number;
  /** After these times a handshake is refused, and a join is answered with an error. */
  handshakeTimeoutMs: number;
  joinTimeoutMs: number;
  /** The time without any received data. */
  idleTimeoutMs: number;
  /** A close without an answer is cut off after this time. */
  closeTimeoutMs: number;
  /** How long a poll is held; a session lives 1.5 times as long without one. */
  pollWindowMs: number;
  /** The number of connections that `drain` closes at once, and the pause between. */
  drainBatch: number;
  drainIntervalMs: number;
}

export interface ChannelServerOptions<Identity> {
  /** `/websocket` and `/longpoll` are appended, as the client does. */
  path: string;
  /** Null must be allowed: browsers send no origin with a GET to their own site, as polls are. */
  isOriginAllowed(origin: string | null, request: IncomingMessage): boolean;
  /** Null refuses with 403. The client cannot see why and keeps trying. */
  authenticate(handshake: Handshake): Promise<Identity | null>;
  /** Null means that there is no such topic. */
  route(topic: string): ChannelHandler<Identity> | null;
  limits?: Partial<Limits>;
  /** Returns the client's address behind a proxy, by the rules for that proxy. */
  ipOf?(request: IncomingMessage): string;
  /** Reports an unexpected error of a handler. */
  onError(error: unknown, where: ErrorPlace): void;
}

export interface ErrorPlace {
  during: 'authenticate' | 'route' | 'join' | 'command' | 'left' | 'broadcast' | 'protocol';
  topic?: string;
  event?: string;
}

export interface JoinResult {
  response?: Payload;
  /** The stream's position that the response includes: broadcasts up to it are not delivered to this channel. */
  position?: number;
}

export interface Reply {
  status: 'ok' | 'error';
  response?: Payload;
}

export type LeaveReason = 'leave' | 'closed' | 'disconnected' | 'replaced' | 'crashed';

export interface ChannelHandler<Identity> {
  /** Throw a Refusal to reject the join. Broadcasts made meanwhile are delivered after the reply. */
  join(channel: Channel<Identity>, payload: Json): Promise<JoinResult>;
  /** Runs one at a time for each channel, in order. A Refusal is an error reply; any other error ends the channel. */
  command(channel: Channel<Identity>, event: string, payload: Json | Uint8Array): Promise<Reply>;
  /** True for a command that begins in its turn, while later ones need not wait for it. */
  isAside?(event: string): boolean;
  /** Exactly once after each join that succeeded, after its last command. */
  left?(channel: Channel<Identity>, why: LeaveReason): void | Promise<void>;
}

export interface Channel<Identity> {
  readonly id: string;
  readonly topic: string;
  readonly joinRef: string;
  readonly connection: Connection<Identity>;
  /** Joining or joined. */
  readonly isOpen: boolean;
  /** For the handler's own data. */
  readonly state: Record<string, unknown>;
  /** Sends to this client only; before the join's reply it waits for it, after the end it does nothing. */
  push(event: string, payload: Payload): void;
  /** Sends phx_close: the client does not come back by itself. */
  close(): void;
  /** Sends phx_error: the client joins again. */
  crash(): void;
}

export interface Connection<Identity> {
  readonly id: string;
  readonly identity: Identity;
  readonly transport: TransportName;
  close(code: number, reason: string): void;
}

export interface BroadcastOptions {
  /** A position in the topic's stream: a channel that has received it or a later one does not get it again. */
  position?: number;
  /** The id of an excluded channel. */
  except?: string;
}

export interface ChannelServerStats {
  connections: number;
  channels: number;
  topics: number;
  queuedBytes: number;
  /** Joins and commands that run or wait. */
  commands: number;
  slowClosed: number;
  idleClosed: number;
  refused: Record<string, number>;
}

export interface ChannelServer<Identity> {
  readonly id: string;
  /** Handles the upgrades of `path/websocket` and leaves all others alone. */
  attach(server: Server): void;
  /** Returns true when it handles the request, which is for `path/longpoll`. The body must not have been read. */
  handleLongPoll(request: IncomingMessage, response: ServerResponse): boolean;
  /** Sends to the topic's channels on this server; encoded once. */
  broadcast(topic: string, event: string, payload: Payload, options?: BroadcastOptions): void;
  /** A push to each of the channels with these ids; turned into JSON once. */
  pushTo(topic: string, ids: ReadonlySet<string>, event: string, payload: Payload): void;
  channels(topic: string): Iterable<Channel<Identity>>;
  /** Topics that at least one channel here has joined. */
  topics(): Iterable<string>;
  connections(): Iterable<Connection<Identity>>;
  /** Returns the number of connections it closed. */
  closeWhere(predicate: (identity: Identity) => boolean, code: number, reason: string): number;
  /** Sends phx_close to channels that lost the right; returns their number. */
  closeTopic(topic: string, predicate?: (channel: Channel<Identity>) => boolean): number;
  /** Called when a joined channel ends, before `left`; returns a function that stops listening. */
  onEnd(listener: (channel: Channel<Identity>) => void): () => void;
  stats(): ChannelServerStats;
  /** Closes all with 1012 in batches, accepts no new ones and resolves when the last command has finished, if it does. */
  drain(): Promise<void>;
  /** Cuts the remaining connections. */
  close(): void;
}

/** A refusal; the client gets its fields as the error's response. */
export class Refusal extends Error {
  readonly response: Record<string, unknown>;

  constructor(response: { reason: string } & Record<string, unknown>) {
    super(response.reason);
    this.name = 'Refusal';
    this.response = response;
  }
}
