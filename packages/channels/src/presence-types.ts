import type { Channel, ChannelServer, Json, Payload } from './types.ts';

/** Connects the presences of several servers: every subscriber of the subject gets every message. */
export interface MessageBus {
  publish(subject: string, data: Json): void | Promise<void>;
  subscribe(subject: string, handler: (data: Json) => void): Promise<() => void>;
}

export type PresenceMeta = { [key: string]: Json };

export interface PresenceOptions<Identity> {
  server: ChannelServer<Identity>;
  bus?: MessageBus;
  subject?: string;
  /** Changes within this time become one presence_diff. */
  diffIntervalMs?: number;
  /** After this time without a message from a server, its presences are removed. */
  silenceMs?: number;
  onError?(error: unknown): void;
}

export interface Presence<Identity> {
  /** Adds the channel under the key and sends it the state; ends with the channel. */
  track(channel: Channel<Identity>, key: string, meta: PresenceMeta): void;
  update(channel: Channel<Identity>, key: string, meta: PresenceMeta): void;
  untrack(channel: Channel<Identity>, key?: string): void;
  /** Sends the state and the diffs to a channel that is not listed itself. */
  watch(channel: Channel<Identity>): void;
  list(topic: string): Record<string, { metas: Payload[] }>;
  close(): Promise<void>;
}
