import { topics as outlines } from 'virtual:topics';
import type { TopicEvent, TopicEventName, TopicParams, topics } from '@atoll/contract';
import { ApiError } from '../api-error.ts';
import { client } from '../client.ts';
import { isExpired, onExpiry } from '../expiry.ts';
import { apiBase } from '../http.ts';
import { changeConnection, getConnection } from './connection.ts';
import {
  delayOf,
  leaveDelayMs,
  reconnectDelays,
  refusedAfterTries,
  sessionEndedGraceMs,
  tokenReuseMs,
} from './constants.ts';
import { notConnected, type RealtimeError } from './errors.ts';
import { type Live, LiveTopic, type Payload, type Present, type SendOptions } from './live-topic.ts';

type Topics = typeof topics;
export type TopicKey = keyof Topics;
export type ParamsOf<Key extends TopicKey> = TopicParams<Topics[Key]>;
type Commands<Key extends TopicKey> = Topics[Key]['commands'];

export interface TopicHandlers<Key extends TopicKey> {
  /** Changes up to this position are already loaded, so only later events are delivered. */
  lastSeen?: number;
  on?: { [Name in TopicEventName<Topics[Key]>]?: (payload: TopicEvent<Topics[Key], Name>) => void };
  /** After each join; `isGap` where what was loaded before may be out of date. */
  onJoined?(joined: Topics[Key]['joined']['_zod']['output'], isGap: boolean): void;
  /** The server refuses this client, or no longer accepts it. */
  onLost?(error: RealtimeError): void;
  onPresence?(present: Present[]): void;
}

/** The input and output of a command, by the contract. */
type Part<Command, Which extends 'input' | 'output'> =
  Command extends Record<Which, { _zod: Record<Which, infer Type> }> ? Type : never;

export interface Subscription<Key extends TopicKey> {
  /** Rejects with a RealtimeError. */
  send<Name extends keyof Commands<Key> & string>(
    command: Name,
    input: Part<Commands<Key>[Name], 'input'>,
    options?: SendOptions,
  ): Promise<Part<Commands<Key>[Name], 'output'>>;
  /** Sends a message only if connected, because it is out of date a moment later. */
  sendIfConnected<Name extends keyof Commands<Key> & string>(
    command: Name,
    input: Part<Commands<Key>[Name], 'input'>,
  ): void;
  /** Leaves after a moment, because the next page may follow the topic too; or at once. */
  leave(isNow?: boolean): void;
}

const sessionEnded = 4001;
const followed = new Map<string, LiveTopic>();
/** The person of the connection; null before the session is known and after it ended. */
let person: string | null = null;
let whoIsHere: () => Promise<unknown> = async () => {};
/** Positions of topics before any of their data was loaded; the first join returns the later events. */
const firstPositions = new Map<string, number>();
let live: Live | null = null;
/** Grows whenever requests in progress no longer count. */
let turn = 0;
let token: { value: string; until: number } | null = null;
let failures = 0;

/** Follows a topic; the connection is opened with the first one. */
export function subscribe<Key extends TopicKey>(
  key: Key,
  params: ParamsOf<Key>,
  handlers: TopicHandlers<Key>,
): Subscription<Key> {
  const name = nameOf(key, params);
  const topic = followed.get(name) ?? begin(key, name, handlers.lastSeen);
  const subscriber = {
    onEvent: (event: string, payload: Payload) =>
      handlers.on?.[event as TopicEventName<Topics[Key]>]?.(payload as never),
    onJoined: (joined: Payload, isGap: boolean) => handlers.onJoined?.(joined as never, isGap),
    onLost: (error: RealtimeError) => handlers.onLost?.(error),
    onPresence: (present: Present[]) => handlers.onPresence?.(present),
  };
  topic.add(subscriber);
  const end = () => {
    if (topic.isFollowed || followed.get(name) !== topic) return;
    followed.delete(name);
    topic.detach();
  };
  return {
    send: (command, input, options) => topic.send(command, input as Payload, options) as never,
    sendIfConnected: (command, input) => topic.sendIfConnected(command, input as Payload),
    leave(isNow) {
      topic.remove(subscriber);
      if (isNow) end();
      else setTimeout(end, leaveDelayMs);
    },
  };
}

/** The name of a topic with these ids in it. */
export const nameOf = <Key extends TopicKey>(key: Key, params: ParamsOf<Key>): string =>
  outlines[key].pattern.replace(/\{(\w+)\}/g, (_, name: string) => (params as Record<string, string>)[name] ?? '');

function begin(key: TopicKey, name: string, lastSeen: number | undefined): LiveTopic {
  const onEnd = () => {
    if (followed.get(name) === topic) followed.delete(name);
  };
  const topic: LiveTopic = new LiveTopic(name, outlines[key], onEnd, lastSeen);
  followed.set(name, topic);
  if (live) attach(topic, live);
  else void open();
  return topic;
}

const attach = (topic: LiveTopic, to: Live) => topic.attach(to, firstPositions.get(topic.name));

/** Sets the person; another person gets another connection. `askWho` is called when the session may have changed. */
export function connectAs(id: string | null, askWho: () => Promise<unknown> = async () => {}, position?: number): void {
  whoIsHere = askWho;
  const topic = id && nameOf('person', { userId: id });
  // The first position counts, because a later session may be newer than the data of other queries.
  if (topic && position !== undefined && !firstPositions.has(topic)) firstPositions.set(topic, position);
  if (id === person) return;
  close();
  person = id;
  void open();
}

/**
 * Disconnects before a sign-out, so that the end of the session is no surprise. Returns a function to reconnect if it
 * failed.
 */
export function pauseRealtime(): () => void {
  const [before, askWho] = [person, whoIsHere];
  connectAs(null);
  return () => connectAs(before, askWho);
}

onExpiry(() => (isExpired() ? close() : void open()));

async function open(): Promise<void> {
  if (person === null || isExpired() || followed.size === 0 || getConnection().isWanted) return;
  const mine = ++turn;
  changeConnection({ isWanted: true });
  const module = await import('./socket.ts').catch(() => null);
  if (mine !== turn) return;
  if (!module) {
    changeConnection(null);
    setTimeout(() => void open(), delayOf(reconnectDelays, reconnectDelays.length));
    return;
  }
  const socket = new module.LiveSocket(`${apiBase().replace(/^http/, 'ws')}/socket`, {
    fetchToken,
    onOpen(isPolling) {
      failures = 0;
      changeConnection({ isOpen: true, isPolling, isRefused: false });
    },
    onClose(code) {
      // A new token request distinguishes an unreachable server from one that refuses.
      if (++failures >= refusedAfterTries) token = null;
      changeConnection({ isOpen: false });
      if (code === sessionEnded) afterSessionEnded(mine);
    },
    onNoToken(error) {
      const isRefused = error instanceof ApiError && error.status === 403;
      changeConnection({ isOpen: false, isRefused });
    },
  });
  live = { socket, Presence: module.Presence };
  for (const topic of followed.values()) attach(topic, live);
  socket.connect();
}

function close(): void {
  turn++;
  token = null;
  failures = 0;
  for (const topic of followed.values()) topic.detach();
  live?.socket.disconnect();
  live = null;
  changeConnection(null);
}

/**
 * Reconnects after the session ended. Without a session there is no token, and the page asks to sign in again. With one it
 * may belong to another person, who signed in in another window.
 */
function afterSessionEnded(mine: number): void {
  live?.socket.disconnect();
  token = null;
  setTimeout(async () => {
    if (mine === turn) await fetchToken().then(whoIsHere, () => {});
    if (mine === turn) live?.socket.connect();
  }, sessionEndedGraceMs);
}

async function fetchToken(): Promise<string> {
  if (token && Date.now() < token.until) return token.value;
  const mine = turn;
  const { token: value } = await client.session.socketToken({});
  if (mine !== turn) throw notConnected();
  token = { value, until: Date.now() + tokenReuseMs };
  if (failures >= refusedAfterTries) changeConnection({ isRefused: true });
  return value;
}

window.addEventListener('online', () => live?.socket.revive());
