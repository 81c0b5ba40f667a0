import { type Diff, type Entries, type Packed, pack, put, take, unpack } from './presence-state.ts';
import type { MessageBus } from './presence-types.ts';
import type { Json } from './types.ts';

/**
 * `count` is the number of diffs that the server has sent so far: a peer that sees a gap has missed one and asks for the
 * state. A state comes in one piece for each topic, without a diff in between.
 */
type Message =
  | { kind: 'diff'; server: string; count: number; topic: string; joins: Packed; leaves: Packed }
  | { kind: 'state'; server: string; count: number; topic: string | null; entries: Packed; isLast: boolean }
  | { kind: 'ask'; server: string; of: string | null }
  | { kind: 'alive'; server: string; count: number }
  | { kind: 'bye'; server: string };

interface Peer {
  /** Null until its state has arrived. */
  count: number | null;
  heardAt: number;
  askedAt: number;
  topics: Map<string, Entries>;
  /** The pieces of a state that is arriving. */
  arriving: Map<string, Entries>;
}

export interface PeersOptions {
  server: string;
  bus: MessageBus;
  subject: string;
  silenceMs: number;
  /** This server's own presences. */
  own: ReadonlyMap<string, Entries>;
  /** Publishes pending changes, so that a state and the diffs after it fit together. */
  beforeState(): void;
  /** Another server's presences have changed. */
  onJoin(topic: string, entries: Entries): void;
  onLeave(topic: string, entries: Entries): void;
  onError(error: unknown): void;
}

/** The presences of the other servers, from their messages. */
export function createPeers(options: PeersOptions) {
  const { server, bus, subject, silenceMs, own, beforeState, onJoin, onLeave, onError } = options;
  const peers = new Map<string, Peer>();
  let count = 0;
  let stop: (() => void) | undefined;

  const publish = (message: Message) => {
    const failed = (error: unknown) => onError(error);
    try {
      Promise.resolve(bus.publish(subject, message as unknown as Json)).catch(failed);
    } catch (error) {
      failed(error);
    }
  };

  /** Limits the requests, because many diffs can arrive before the answer. */
  function ask(name: string, peer: Peer): void {
    const now = performance.now();
    if (now - peer.askedAt < silenceMs / 15) return;
    peer.askedAt = now;
    publish({ kind: 'ask', server, of: name });
  }

  function receive(data: Json): void {
    try {
      apply(data as unknown as Message);
    } catch (error) {
      onError(error);
    }
  }

  function apply(message: Message): void {
    if (message.server === server) return;
    if (message.kind === 'bye') remove(message.server);
    else if (message.kind === 'ask') {
      if (message.of === null || message.of === server) publishState();
      heard(message.server);
    } else {
      const peer = heard(message.server);
      if (message.kind === 'diff') applyDiff(peer, message);
      else if (message.kind === 'state') applyState(peer, message);
      else if (message.count !== peer.count) ask(message.server, peer);
    }
  }

  function heard(name: string): Peer {
    let peer = peers.get(name);
    if (!peer) {
      peer = { count: null, heardAt: 0, askedAt: Number.NEGATIVE_INFINITY, topics: new Map(), arriving: new Map() };
      peers.set(name, peer);
    }
    peer.heardAt = performance.now();
    return peer;
  }

  function applyDiff(peer: Peer, diff: Message & { kind: 'diff' }): void {
    if (peer.count === null || diff.count !== peer.count + 1) {
      // A diff older than the received state is included in it.
      if (peer.count === null || diff.count > peer.count) ask(diff.server, peer);
      return;
    }
    peer.count = diff.count;
    const [joins, leaves] = [unpack(diff.joins), unpack(diff.leaves)];
    const entries: Entries = peer.topics.get(diff.topic) ?? new Map();
    peer.topics.set(diff.topic, entries);
    for (const [key, metas] of joins) for (const [ref, meta] of metas) put(entries, key, ref, meta);
    for (const [key, metas] of leaves) for (const ref of metas.keys()) take(entries, key, ref);
    if (entries.size === 0) peer.topics.delete(diff.topic);
    onJoin(diff.topic, joins);
    onLeave(diff.topic, leaves);
  }

  function applyState(peer: Peer, state: Message & { kind: 'state' }): void {
    if (state.topic !== null) peer.arriving.set(state.topic, unpack(state.entries));
    if (!state.isLast) return;
    const before = peer.topics;
    peer.topics = peer.arriving;
    peer.arriving = new Map();
    peer.count = state.count;
    for (const [topic, entries] of before) onLeave(topic, without(entries, peer.topics.get(topic)));
    for (const [topic, entries] of peer.topics) onJoin(topic, without(entries, before.get(topic)));
  }

  function publishState(): void {
    beforeState();
    const topics = [...own];
    if (topics.length === 0) publish({ kind: 'state', server, count, topic: null, entries: [], isLast: true });
    topics.forEach(([topic, entries], index) => {
      publish({ kind: 'state', server, count, topic, entries: pack(entries), isLast: index === topics.length - 1 });
    });
  }

  function remove(name: string): void {
    const peer = peers.get(name);
    peers.delete(name);
    for (const [topic, entries] of peer?.topics ?? []) onLeave(topic, entries);
  }

  const beat = setInterval(() => {
    publish({ kind: 'alive', server, count });
    const now = performance.now();
    for (const [name, peer] of peers) if (now - peer.heardAt > silenceMs) remove(name);
  }, silenceMs / 3).unref();

  const started = bus.subscribe(subject, receive).then((unsubscribe) => {
    stop = unsubscribe;
    publish({ kind: 'ask', server, of: null });
  }, onError);

  return {
    publish(topic: string, diff: Diff): void {
      count++;
      publish({ kind: 'diff', server, count, topic, joins: pack(diff.joins), leaves: pack(diff.leaves) });
    },
    *of(topic: string): Iterable<Entries> {
      for (const { topics } of peers.values()) {
        const entries = topics.get(topic);
        if (entries) yield entries;
      }
    },
    async close(): Promise<void> {
      clearInterval(beat);
      await started;
      publish({ kind: 'bye', server });
      stop?.();
    },
  };
}

function without(entries: Entries, others: Entries | undefined): Entries {
  const rest: Entries = new Map();
  for (const [key, metas] of entries) {
    for (const [ref, meta] of metas) if (!others?.get(key)?.has(ref)) put(rest, key, ref, meta);
  }
  return rest;
}
