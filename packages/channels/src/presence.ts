import { createPeers } from './presence-peers.ts';
import { Diff, type Entries, put, take, toPayload } from './presence-state.ts';
import type { Presence, PresenceMeta, PresenceOptions } from './presence-types.ts';
import type { Channel } from './types.ts';

interface Pending {
  /** Changes on this server, for the other servers. */
  own: Diff;
  /** Changes on all servers, for the channels here. */
  all: Diff;
  /** Channels that need the whole state. */
  newcomers: Set<string>;
}

/** The present users of each topic. Changes are sent a few times a second, because a thousand can come at once. */
export function createPresence<Identity>(options: PresenceOptions<Identity>): Presence<Identity> {
  const { server, bus, subject = 'presence', diffIntervalMs = 50, silenceMs = 15_000, onError = () => {} } = options;
  const topics = new Map<string, Entries>();
  const pending = new Map<string, Pending>();
  /** Channel → key → reference. */
  const tracked = new WeakMap<Channel<Identity>, Map<string, string>>();
  let lastRef = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const peers = bus
    ? createPeers({
        server: server.id,
        bus,
        subject,
        silenceMs,
        own: topics,
        beforeState: flush,
        onJoin: (topic, entries) => eachOf(entries, (...join) => pendingOf(topic).all.join(...join)),
        onLeave: (topic, entries) => eachOf(entries, (...leave) => pendingOf(topic).all.leave(...leave)),
        onError,
      })
    : null;

  function pendingOf(topic: string): Pending {
    let changes = pending.get(topic);
    if (!changes) {
      changes = { own: new Diff(), all: new Diff(), newcomers: new Set() };
      pending.set(topic, changes);
    }
    timer ??= setTimeout(flush, diffIntervalMs);
    return changes;
  }

  function add(topic: string, key: string, ref: string, meta: PresenceMeta): void {
    const entries: Entries = topics.get(topic) ?? new Map();
    topics.set(topic, entries);
    put(entries, key, ref, meta);
    const { own, all } = pendingOf(topic);
    own.join(key, ref, meta);
    all.join(key, ref, meta);
  }

  function remove(topic: string, key: string, ref: string): void {
    const entries = topics.get(topic);
    const meta = entries && take(entries, key, ref);
    if (!meta) return;
    if (entries.size === 0) topics.delete(topic);
    const { own, all } = pendingOf(topic);
    own.leave(key, ref, meta);
    all.leave(key, ref, meta);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    // Sending can end a channel that reads too slowly, which is a change for the next flush.
    const changes = [...pending];
    pending.clear();
    for (const [topic, { own, all, newcomers }] of changes) {
      if (!own.isEmpty) peers?.publish(topic, own);
      if (!all.isEmpty) server.broadcast(topic, 'presence_diff', all.payload());
      // After the diff: a client keeps diffs until it has the state, and recognises known entries by their references.
      if (newcomers.size > 0) server.pushTo(topic, newcomers, 'presence_state', list(topic));
    }
  }

  const list = (topic: string) => toPayload(topics.get(topic) ?? new Map(), ...(peers?.of(topic) ?? []));

  const watch = (channel: Channel<Identity>) => void pendingOf(channel.topic).newcomers.add(channel.id);

  function show(channel: Channel<Identity>, key: string, meta: PresenceMeta): void {
    // The channel may have ended during its join.
    if (!channel.isOpen) return;
    let keys = tracked.get(channel);
    if (!keys) {
      keys = new Map();
      tracked.set(channel, keys);
      watch(channel);
    }
    const previous = keys.get(key);
    const ref = `${server.id}${(++lastRef).toString(36)}`;
    keys.set(key, ref);
    if (previous === undefined) add(channel.topic, key, ref, { ...meta, phx_ref: ref });
    else {
      remove(channel.topic, key, previous);
      add(channel.topic, key, ref, { ...meta, phx_ref: ref, phx_ref_prev: previous });
    }
  }

  function untrack(channel: Channel<Identity>, key?: string): void {
    const keys = tracked.get(channel);
    for (const [each, ref] of [...(keys ?? [])]) {
      if (key !== undefined && key !== each) continue;
      keys?.delete(each);
      remove(channel.topic, each, ref);
    }
  }

  const stopListening = server.onEnd((channel) => untrack(channel));

  return {
    track: show,
    update(channel, key, meta) {
      if (tracked.get(channel)?.has(key)) show(channel, key, meta);
    },
    untrack,
    watch,
    list,
    async close() {
      stopListening();
      clearTimeout(timer);
      await peers?.close();
    },
  };
}

function eachOf(entries: Entries, use: (key: string, ref: string, meta: PresenceMeta) => void): void {
  for (const [key, metas] of entries) for (const [ref, meta] of metas) use(key, ref, meta);
}
