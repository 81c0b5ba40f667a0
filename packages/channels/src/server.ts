import { setTimeout as wait } from 'node:timers/promises';
import { asJson, encodeBroadcast, type Outgoing } from './encode.ts';
import { Hub } from './hub.ts';
import { createLongPoll } from './long-poll.ts';
import type { Channel, ChannelServer, ChannelServerOptions, Payload } from './types.ts';
import { attachWebSockets } from './websocket.ts';

export function createChannelServer<Identity>(options: ChannelServerOptions<Identity>): ChannelServer<Identity> {
  const hub = new Hub(options);
  const longPoll = createLongPoll(hub);
  const detachers: (() => void)[] = [];

  function broadcast(
    topic: string,
    event: string,
    payload: Payload,
    { position, except }: { position?: number; except?: string } = {},
  ): void {
    const channels = hub.topics.get(topic);
    if (!channels) return;
    let message: Outgoing;
    try {
      message = encodeBroadcast(topic, event, payload);
    } catch (error) {
      hub.report(error, { during: 'broadcast', topic, event });
      return;
    }
    const exceptNumber = except?.startsWith(`${hub.id}.`) ? Number(except.slice(hub.id.length + 1)) : 0;
    for (const channel of channels) {
      if (channel.number === exceptNumber) channel.pass(position);
      else channel.deliver(message, position);
    }
  }

  function pushTo(topic: string, ids: ReadonlySet<string>, event: string, payload: Payload): void {
    const json = asJson(payload);
    for (const channel of hub.topics.get(topic) ?? []) if (ids.has(channel.id)) channel.pushJson(event, json);
  }

  function closeWhere(predicate: (identity: Identity) => boolean, code: number, reason: string): number {
    const affected = [...hub.connections].filter(({ isOpen, identity }) => isOpen && predicate(identity));
    for (const connection of affected) connection.close(code, reason);
    return affected.length;
  }

  function closeTopic(topic: string, predicate: (channel: Channel<Identity>) => boolean = () => true): number {
    const affected = [...(hub.topics.get(topic) ?? [])].filter(predicate);
    for (const channel of affected) channel.close();
    return affected.length;
  }

  async function drain(): Promise<void> {
    hub.isClosing = true;
    const left = [...hub.connections];
    while (left.length > 0) {
      for (const connection of left.splice(0, hub.limits.drainBatch)) connection.close(1012, 'restart');
      // Not all at once: each client reconnects within milliseconds, to another server or this one's successor.
      if (left.length > 0) await wait(hub.limits.drainIntervalMs);
    }
    await hub.quiet();
  }

  function close(): void {
    hub.isClosing = true;
    hub.stop();
    for (const detach of detachers.splice(0)) detach();
    for (const connection of hub.connections) connection.terminate();
  }

  return {
    id: hub.id,
    attach: (server) => void detachers.push(attachWebSockets(hub, server)),
    handleLongPoll: longPoll.handle,
    broadcast,
    pushTo,
    channels: (topic) => hub.topics.get(topic) ?? [],
    topics: () => hub.topics.keys(),
    connections: () => hub.connections,
    closeWhere,
    closeTopic,
    onEnd(listener) {
      hub.endListeners.add(listener);
      return () => hub.endListeners.delete(listener);
    },
    stats: () => ({
      connections: hub.connections.size,
      channels: sum(hub.topics.values(), (channels) => channels.size),
      topics: hub.topics.size,
      queuedBytes: sum(hub.connections, (connection) => connection.queuedBytes),
      commands: hub.commands,
      slowClosed: hub.slowClosed,
      idleClosed: hub.idleClosed,
      refused: { ...hub.refused },
    }),
    drain,
    close,
  };
}

function sum<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}
