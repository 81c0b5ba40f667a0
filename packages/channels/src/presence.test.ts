import { afterEach, describe, expect, test } from 'vitest';
import { type ChannelHandler, createPresence, type Json, type MessageBus, type Presence } from './index.ts';
import {
  clients,
  combinations,
  connect,
  disconnectAll,
  outcome,
  type Person,
  type Started,
  startServer,
  until,
} from './test/harness.ts';

const started: Started[] = [];
const presences: Presence<Person>[] = [];

afterEach(async () => {
  await disconnectAll();
  await Promise.all(presences.splice(0).map((presence) => presence.close()));
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

/** A bus in the process that copies its messages, and can lose or delay them. */
function createBus() {
  const handlers = new Set<(data: Json) => void>();
  const control = { isCut: false, carried: [] as Json[] };
  const bus: MessageBus = {
    publish(_subject, data) {
      const copy = JSON.stringify(data);
      control.carried.push(JSON.parse(copy));
      if (control.isCut) return;
      for (const handler of [...handlers]) queueMicrotask(() => handler(JSON.parse(copy)));
    },
    async subscribe(_subject, handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
  return { bus, control };
}

async function start(bus?: MessageBus, silenceMs = 150) {
  let presence: Presence<Person>;
  const lobby: ChannelHandler<Person> = {
    async join(channel, payload) {
      const { key, meta } = payload as { key?: string; meta?: Record<string, Json> };
      if (key === undefined) presence.watch(channel);
      else presence.track(channel, key, meta ?? {});
      return {};
    },
    async command(channel, event, payload) {
      const { key, meta } = payload as { key: string; meta: Record<string, Json> };
      if (event === 'update') presence.update(channel, key, meta);
      if (event === 'flicker') for (let n = 0; n < 50; n++) presence.update(channel, key, { n });
      if (event === 'untrack') presence.untrack(channel, key);
      return { status: 'ok' };
    },
  };
  const server = await startServer({ lobby });
  presence = createPresence({ server: server.channels, bus, diffIntervalMs: 5, silenceMs });
  started.push(server);
  presences.push(presence);
  return { server, presence };
}

const enter = async (phoenix: PhoenixClient, url: string, params: object, transport = 'websocket') => {
  const socket = connect(phoenix, url, { transport });
  const channel = socket.channel('lobby:1', params);
  const presence = new phoenix.Presence(channel);
  await new Promise((resolve) => channel.join().receive('ok', resolve));
  const names = () => presence.list((key, { metas }) => `${key}×${metas.length}`).sort();
  const metas = (key: string) => presence.list((each, { metas }) => (each === key ? metas : [])).flat();
  return { socket, channel, presence, names, metas };
};

describe.each(combinations)('presence for phoenix $version over $transport', ({ phoenix, transport }) => {
  test('shows present users, one key with two tabs, and departures', async () => {
    const { server, presence } = await start();
    const ana = await enter(phoenix, server.url, { key: 'ana', meta: { tab: 1 } }, transport);
    const ben = await enter(phoenix, server.url, { key: 'ben' }, transport);
    const watcher = await enter(phoenix, server.url, {}, transport);
    const second = await enter(phoenix, server.url, { key: 'ana', meta: { tab: 2 } }, transport);
    for (const { names } of [ana, ben, watcher, second]) {
      await until(() => names().join() === 'ana×2,ben×1');
    }
    expect(watcher.metas('ana').map(({ tab }) => tab)).toEqual([1, 2]);
    const left: string[] = [];
    watcher.presence.onLeave((key) => left.push(key));
    second.channel.leave();
    await until(() => watcher.names().join() === 'ana×1,ben×1');
    ben.socket.disconnect();
    await until(() => watcher.names().join() === 'ana×1');
    expect(left).toEqual(['ana', 'ben']);
    expect(Object.keys(presence.list('lobby:1'))).toEqual(['ana']);
  });

  test('an update replaces one meta and names the previous one', async () => {
    const { server } = await start();
    const ana = await enter(phoenix, server.url, { key: 'ana', meta: { at: 'cell 1' } }, transport);
    const watcher = await enter(phoenix, server.url, {}, transport);
    await until(() => watcher.names().join() === 'ana×1');
    const [before] = watcher.metas('ana');
    ana.channel.push('update', { key: 'ana', meta: { at: 'cell 2' } });
    ana.channel.push('update', { key: 'somebody else', meta: {} });
    await until(() => watcher.metas('ana')[0]?.at === 'cell 2');
    expect(watcher.metas('ana')).toEqual([
      { at: 'cell 2', phx_ref: expect.any(String), phx_ref_prev: before?.phx_ref },
    ]);
    ana.channel.push('untrack', { key: 'ana' });
    await until(() => watcher.names().length === 0);
  });
});

describe.each(clients)('presence for phoenix $version', ({ phoenix }) => {
  test('supports keys that are names in every object', async () => {
    const { server } = await start();
    await enter(phoenix, server.url, { key: '__proto__' });
    await enter(phoenix, server.url, { key: 'constructor' });
    const watcher = await enter(phoenix, server.url, {});
    await until(() => watcher.names().join() === '__proto__×1,constructor×1');
    expect(({} as { metas?: unknown }).metas).toBeUndefined();
  });

  test('comes back with the client after the connection is lost', async () => {
    const { server } = await start();
    const watcher = await enter(phoenix, server.url, {});
    await enter(phoenix, server.url, { key: 'ana' });
    await until(() => watcher.names().join() === 'ana×1');
    expect(server.channels.closeWhere(() => true, 1012, 'restart')).toBe(2);
    await until(() => server.channels.stats().channels === 2);
    await until(() => watcher.names().join() === 'ana×1');
  });

  test('works over several servers, also one that starts later', async () => {
    const { bus } = createBus();
    const one = await start(bus);
    const ana = await enter(phoenix, one.server.url, { key: 'ana' });
    await until(() => ana.names().join() === 'ana×1');
    const two = await start(bus);
    await until(() => 'ana' in two.presence.list('lobby:1'));
    const ben = await enter(phoenix, two.server.url, { key: 'ben' });
    for (const { names } of [ana, ben]) await until(() => names().join() === 'ana×1,ben×1');
    ben.socket.disconnect();
    await until(() => ana.names().join() === 'ana×1');
  });

  test('removes the presences of a server that says goodbye or falls silent', async () => {
    const { bus } = createBus();
    const silenced = createBus();
    const [one, two] = [await start(bus), await start(bus)];
    const three = await start({
      publish: (subject, data) => (silenced.control.isCut ? undefined : bus.publish(subject, data)),
      subscribe: bus.subscribe,
    });
    const ana = await enter(phoenix, one.server.url, { key: 'ana' });
    await enter(phoenix, two.server.url, { key: 'ben' });
    await enter(phoenix, three.server.url, { key: 'cleo' });
    await until(() => ana.names().join() === 'ana×1,ben×1,cleo×1');
    await two.presence.close();
    await until(() => ana.names().join() === 'ana×1,cleo×1');
    silenced.control.isCut = true;
    await until(() => ana.names().join() === 'ana×1');
    silenced.control.isCut = false;
    await until(() => ana.names().join() === 'ana×1,cleo×1');
  });

  test('detects messages that the bus lost by the count', async () => {
    const { bus, control } = createBus();
    // Long enough that no server counts as lost while the bus delivers nothing.
    const [one, two] = [await start(bus, 3000), await start(bus, 3000)];
    const ana = await enter(phoenix, one.server.url, { key: 'ana' });
    const ben = await enter(phoenix, two.server.url, { key: 'ben' });
    await until(() => ana.names().join() === 'ana×1,ben×1');
    control.isCut = true;
    ben.socket.disconnect();
    await until(() => Object.keys(two.presence.list('lobby:1')).join() === 'ana');
    await until(() => control.carried.some((message) => (message as { leaves?: Json[] }).leaves?.length === 1));
    expect(ana.names()).toEqual(['ana×1', 'ben×1']);
    control.isCut = false;
    await until(() => ana.names().join() === 'ana×1');
  });

  test('sends changes made at once as one diff, and one state to a newcomer', async () => {
    const { bus, control } = createBus();
    const { server } = await start(bus);
    const watcher = connect(phoenix, server.url).channel('lobby:1', {});
    const states: unknown[] = [];
    const diffs: { joins: { ana: { metas: object[] } } }[] = [];
    // Listen before it joins, because the state can come with the answer.
    watcher.on('presence_state', (state) => states.push(state));
    watcher.on('presence_diff', (diff) => diffs.push(diff));
    watcher.join();
    await until(() => states.length === 1);
    const ana = await enter(phoenix, server.url, { key: 'ana', meta: {} });
    await until(() => diffs.length === 1);
    await outcome(ana.channel.push('flicker', { key: 'ana' }));
    await until(() => diffs.length === 2);
    expect(diffs.at(-1)?.joins.ana.metas).toMatchObject([{ n: 49 }]);
    expect(control.carried.filter((message) => (message as { kind: string }).kind === 'diff')).toHaveLength(2);
    expect(states).toHaveLength(1);
  });
});
