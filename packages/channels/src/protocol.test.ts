import { afterEach, describe, expect, test } from 'vitest';
import { type Channel, type ChannelHandler, type LeaveReason, Refusal } from './index.ts';
import {
  closeAll,
  combinations,
  connect,
  gate,
  joined,
  next,
  outcome,
  type Person,
  raw,
  server,
  startServer,
  until,
} from './test/harness.ts';

const left: { topic: string; why: LeaveReason }[] = [];

const room: ChannelHandler<Person> = {
  async join(channel, payload) {
    if (channel.topic === 'room:closed') throw new Refusal({ reason: 'forbidden', message: 'Not for you' });
    if (channel.topic === 'room:broken') throw new Error('no such table');
    return { response: { welcome: channel.connection.identity.name, params: payload } };
  },
  async command(channel, event, payload) {
    if (event === 'echo') return { status: 'ok', response: payload as object };
    if (event === 'refuse') throw new Refusal({ reason: 'stale', version: 7 });
    if (event === 'error') return { status: 'error', response: { reason: 'no' } };
    if (event === 'shout') {
      server.channels.broadcast(channel.topic, 'shouted', payload as object, { except: channel.id });
      return { status: 'ok' };
    }
    if (event === 'hang') await new Promise(() => {});
    throw new Error(`cannot ${event}`);
  },
  left: (channel, why) => void left.push({ topic: channel.topic, why }),
};

afterEach(async () => {
  await closeAll();
  left.length = 0;
});

describe.each(combinations)('phoenix $version over $transport', ({ phoenix, transport }) => {
  const start = async (...args: Partial<Parameters<typeof startServer>>) => {
    await startServer({ room, ...args[0] }, args[1]);
    return (options: object = {}) => connect(phoenix, server.url, { transport, ...options });
  };

  test('passes on parameters and the token, and joins', async () => {
    const open = await start();
    const socket = open({ params: { locale: 'de', nested: { deep: 'ä b' } }, authToken: 'token-of_ana.1' });
    const channel = socket.channel('room:1', { last_seen: 4 });
    expect(await outcome(channel.join())).toEqual({
      status: 'ok',
      response: { welcome: 'token-of_ana.1', params: { last_seen: 4 } },
    });
    const [handshake] = server.handshakes;
    expect(handshake).toMatchObject({ transport, token: 'token-of_ana.1', ip: '127.0.0.1' });
    expect({ ...handshake?.params }).toEqual({ locale: 'de', 'nested[deep]': 'ä b' });
    expect(JSON.stringify(handshake?.request.headers)).not.toContain('b2Zf');
    expect(server.channels.stats()).toMatchObject({ connections: 1, channels: 1, topics: 1 });
  });

  test('takes the token from the parameters when there is no other', async () => {
    const open = await start();
    await joined(open({ params: { token: 'ana' } }), 'room:1');
    expect(server.handshakes.map(({ token }) => token)).toEqual(['ana']);
  });

  test('a refused join gives the reason, and is tried again', async () => {
    const open = await start();
    const channel = open().channel('room:closed');
    const push = channel.join();
    expect(await outcome(push)).toEqual({
      status: 'error',
      response: { reason: 'forbidden', message: 'Not for you' },
    });
    const again = gate();
    push.receive('error', () => again.release());
    await again.opened;
    expect(left).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  test('hides the error of a join that throws from the client', async () => {
    const open = await start();
    expect(await outcome(open().channel('room:broken').join())).toEqual({
      status: 'error',
      response: { reason: 'join crashed' },
    });
    expect(String(server.errors[0])).toContain('no such table');
  });

  test('refuses a topic without a handler', async () => {
    const open = await start();
    expect(await outcome(open().channel('nothing:1').join())).toEqual({
      status: 'error',
      response: { reason: 'unmatched topic' },
    });
    expect(await outcome(open().channel('phoenix').join())).toMatchObject({ status: 'error' });
  });

  test('answers commands', async () => {
    const open = await start();
    const channel = await joined(open(), 'room:1');
    expect(await outcome(channel.push('echo', { ä: ['\u{1f41a}', 1.5, null] }))).toEqual({
      status: 'ok',
      response: { ä: ['\u{1f41a}', 1.5, null] },
    });
    expect(await outcome(channel.push('refuse', {}))).toEqual({
      status: 'error',
      response: { reason: 'stale', version: 7 },
    });
    expect(await outcome(channel.push('error', {}))).toEqual({ status: 'error', response: { reason: 'no' } });
  });

  test('a command without an answer times out at the client', async () => {
    const open = await start();
    const channel = await joined(open(), 'room:1');
    expect(await outcome(channel.push('hang', {}, 20))).toMatchObject({ status: 'timeout' });
  });

  test('broadcasts to all but the sender, and pushes to one', async () => {
    const open = await start();
    const [ana, ben] = [await joined(open(), 'room:1'), await joined(open(), 'room:1')];
    const heard: unknown[] = [];
    ana.on('shouted', (payload) => heard.push(payload));
    const shouted = next(ben, 'shouted');
    await outcome(ana.push('shout', { text: 'hello' }));
    expect(await shouted).toEqual({ text: 'hello' });
    const pushed = next(ana, 'only you');
    for (const channel of server.channels.channels('room:1')) channel.push('only you', { id: channel.id });
    expect(await pushed).toHaveProperty('id');
    expect(heard).toEqual([]);
  });

  test('a second join of the same topic replaces the first', async () => {
    const open = await start();
    const socket = open();
    const first = await joined(socket, 'room:1');
    const second = await joined(socket, 'room:1');
    await until(() => first.state === 'closed');
    expect(await outcome(second.push('echo', {}))).toMatchObject({ status: 'ok' });
    await until(() => left.length === 1);
    expect(server.channels.stats().channels).toBe(1);
  });

  test('a leave is answered, closes the channel and calls `left` once', async () => {
    const open = await start();
    const channel = await joined(open(), 'room:1');
    const closed = gate<unknown>();
    channel.onClose(closed.release);
    expect(await outcome(channel.leave())).toMatchObject({ status: 'ok' });
    await closed.opened;
    await until(() => left.length > 0);
    expect(left).toEqual([{ topic: 'room:1', why: 'leave' }]);
    expect(server.channels.stats().channels).toBe(0);
  });

  test('a command that runs aside delays no other, is answered, and finishes before `left`', async () => {
    const asked = [gate<string>(), gate<string>()];
    const slow: ChannelHandler<Person> = {
      ...room,
      isAside: (event) => event === 'ask',
      async command(channel, event, payload) {
        if (event !== 'ask') return room.command(channel, event, payload);
        return { status: 'ok', response: { answer: await asked[(payload as { which: number }).which]?.opened } };
      },
    };
    const open = await start({ room: slow });
    const channel = await joined(open(), 'room:1');
    const answer = outcome(channel.push('ask', { which: 0 }));
    channel.push('ask', { which: 1 });
    expect(await outcome(channel.push('echo', { here: true }))).toMatchObject({ response: { here: true } });
    expect(server.channels.stats().commands).toBe(2);
    asked[0]?.release('late');
    expect(await answer).toMatchObject({ status: 'ok', response: { answer: 'late' } });
    await outcome(channel.leave());
    expect(left).toEqual([]);
    asked[1]?.release('too late');
    await until(() => left.length > 0);
    expect(left).toEqual([{ topic: 'room:1', why: 'leave' }]);
    expect(server.channels.stats().commands).toBe(0);
  });

  test('a crash in a command ends the channel, and the client joins again', async () => {
    const open = await start();
    const channel = await joined(open(), 'room:1');
    const firstRef = channel.joinRef();
    const failed = gate<unknown>();
    channel.onError(failed.release);
    channel.push('explode', {});
    expect(await failed.opened).toEqual({ reason: 'channel_crash' });
    await until(() => channel.state === 'joined');
    expect(channel.joinRef()).not.toBe(firstRef);
    expect(left).toEqual([{ topic: 'room:1', why: 'crashed' }]);
    expect(String(server.errors)).toContain('cannot explode');
    expect(await outcome(channel.push('echo', { back: true }))).toMatchObject({ response: { back: true } });
  });

  test('a channel closed by the server stays closed', async () => {
    const open = await start();
    const channel = await joined(open(), 'room:1');
    const other = await joined(open({ authToken: 'ana' }), 'room:1');
    const closed = gate<unknown>();
    channel.onClose(closed.release);
    const isAnonymous = ({ connection }: Channel<Person>) => connection.identity.name === 'anonymous';
    expect(server.channels.closeTopic('room:1', isAnonymous)).toBe(1);
    await closed.opened;
    expect(await outcome(other.push('echo', {}))).toMatchObject({ status: 'ok' });
    expect(channel.state).toBe('closed');
    expect(left).toEqual([{ topic: 'room:1', why: 'closed' }]);
  });

  test('the 101st channel is refused', async () => {
    const open = await start();
    const socket = open();
    const joins = Array.from({ length: 101 }, (_, index) => outcome(socket.channel(`room:${index}`).join()));
    const results = await Promise.all(joins);
    expect(results.filter(({ status }) => status === 'ok')).toHaveLength(100);
    expect(results.at(-1)).toEqual({ status: 'error', response: { reason: 'too many channels joined' } });
  });

  test('250 pushes at once arrive in order', async () => {
    const seen: unknown[] = [];
    const open = await start({
      log: {
        async join() {
          return {};
        },
        async command(_channel, _event, payload) {
          seen.push((payload as { n: number }).n);
          return { status: 'ok' };
        },
      },
    });
    const channel = await joined(open(), 'log:1');
    await Promise.all(Array.from({ length: 250 }, (_, n) => outcome(channel.push('add', { n }))));
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => n));
  });

  test('sends pushes made before the join is done after it', async () => {
    const joining = gate();
    const open = await start({ slow: { ...room, join: () => joining.opened.then(() => ({})) } });
    const channel = open().channel('slow:1');
    const join = outcome(channel.join());
    const push = outcome(channel.push('echo', { early: true }));
    joining.release();
    expect(await join).toMatchObject({ status: 'ok' });
    expect(await push).toEqual({ status: 'ok', response: { early: true } });
  });

  test('receives bytes from the client', async () => {
    const got = gate<Uint8Array>();
    const open = await start({
      bytes: {
        join: async () => ({}),
        async command(_channel, _event, payload) {
          got.release(payload as Uint8Array);
          return { status: 'ok', response: { size: (payload as Uint8Array).length } };
        },
      },
    });
    const channel = await joined(open(), 'bytes:1');
    const sent = Uint8Array.of(0, 91, 255, 10, 13, 128);
    expect(await outcome(channel.push('bin', sent.buffer))).toEqual({ status: 'ok', response: { size: 6 } });
    expect([...(await got.opened)]).toEqual([...sent]);
  });

  test('sends bytes to the client, as text where it cannot receive them', async () => {
    const bytes = Uint8Array.of(1, 2, 250);
    const open = await start({
      bytes: { join: async () => ({}), command: async () => ({ status: 'ok', response: bytes }) },
    });
    const channel = await joined(open(), 'bytes:1');
    const expected = transport === 'longpoll' ? { base64: 'AQL6' } : bytes.buffer;
    expect((await outcome(channel.push('get', {}))).response).toEqual(expected);
    const pushed = next(channel, 'pushed');
    for (const each of server.channels.channels('bytes:1')) each.push('pushed', bytes);
    expect(await pushed).toEqual(expected);
    const broadcast = next(channel, 'broadcast');
    server.channels.broadcast('bytes:1', 'broadcast', bytes);
    expect(await broadcast).toEqual(expected);
  });

  test('calls `left` once per channel when a client disconnects', async () => {
    const open = await start();
    const socket = open();
    await joined(socket, 'room:1');
    await joined(socket, 'room:2');
    socket.disconnect();
    await until(() => left.length === 2);
    expect(left.map(({ why }) => why)).toEqual(['disconnected', 'disconnected']);
    expect(server.channels.stats()).toMatchObject({ connections: 0, channels: 0, topics: 0 });
  });

  test('refuses a wrong token, and the client keeps trying', async () => {
    const open = await start();
    const socket = open({ authToken: 'wrong' });
    const errors: unknown[] = [];
    socket.onError((error) => errors.push(error));
    await until(() => errors.length >= 2);
    expect(server.channels.stats().refused.authentication).toBeGreaterThanOrEqual(2);
    expect(socket.isConnected()).toBe(false);
  });

  test('refuses another version of the protocol', async () => {
    const open = await start();
    open({ vsn: '1.0.0' });
    await until(() => (server.channels.stats().refused.version ?? 0) >= 1);
    expect(server.handshakes).toEqual([]);
  });
});

describe('frames', () => {
  const start = async () => {
    await startServer({ room });
    return raw(server.url);
  };

  test('have the references that the protocol requires', async () => {
    const { send, hear, heard } = await start();
    send([null, '1', 'phoenix', 'heartbeat', {}]);
    send(['2', '2', 'room:1', 'phx_join', {}]);
    await hear(2);
    send(['2', '3', 'room:1', 'echo', { a: 1 }]);
    await hear(3);
    server.channels.broadcast('room:1', 'all', {});
    for (const channel of server.channels.channels('room:1')) channel.push('one', {});
    send(['2', '4', 'room:1', 'phx_leave', {}]);
    expect(await hear(7)).toEqual([
      [null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }],
      ['2', '2', 'room:1', 'phx_reply', { status: 'ok', response: { welcome: 'anonymous', params: {} } }],
      ['2', '3', 'room:1', 'phx_reply', { status: 'ok', response: { a: 1 } }],
      [null, null, 'room:1', 'all', {}],
      ['2', null, 'room:1', 'one', {}],
      ['2', '4', 'room:1', 'phx_reply', { status: 'ok', response: {} }],
      ['2', '2', 'room:1', 'phx_close', {}],
    ]);
    heard.length = 0;
    send(['2', '5', 'room:1', 'echo', {}]);
    send(['2', '6', 'room:1', 'phx_leave', {}]);
    expect(await hear(2)).toEqual([
      [null, '5', 'room:1', 'phx_reply', { status: 'error', response: { reason: 'unmatched topic' } }],
      ['2', '6', 'room:1', 'phx_reply', { status: 'ok', response: {} }],
    ]);
  });

  test('a second join closes the first and ignores its messages', async () => {
    const { send, hear, heard } = await start();
    send(['1', '1', 'room:1', 'phx_join', {}]);
    await hear(1);
    send(['2', '2', 'room:1', 'phx_join', {}]);
    await hear(3);
    send(['1', '3', 'room:1', 'echo', {}]);
    send(['1', '4', 'room:1', 'phx_leave', {}]);
    send([null, '5', 'room:1', 'echo', {}]);
    await hear(4);
    send(['2', '6', 'room:1', 'phx_close', {}]);
    await hear(5);
    expect(heard.slice(1).map((message) => (message as unknown[]).slice(0, 4))).toEqual([
      ['1', '1', 'room:1', 'phx_close'],
      ['2', '2', 'room:1', 'phx_reply'],
      ['2', '5', 'room:1', 'phx_reply'],
      ['2', '6', 'room:1', 'phx_reply'],
    ]);
    expect(left).toEqual([{ topic: 'room:1', why: 'replaced' }]);
  });

  test('ignores elements after the fifth, and sends no reply to a push without a reference', async () => {
    const { send, hear } = await start();
    send(['1', '1', 'room:1', 'phx_join', {}, 'extra']);
    send(['1', null, 'room:1', 'echo', {}]);
    send(['1', '2', 'room:1', 'echo', {}]);
    expect((await hear(2)).map((message) => (message as unknown[])[1])).toEqual(['1', '2']);
  });

  test('the answer to the upgrade names the protocol without the token', async () => {
    await startServer({ room });
    const { ws } = await raw(server.url, ['phoenix', `base64url.bearer.phx.${btoa('ana').replace(/=/g, '')}`]);
    expect(ws.protocol).toBe('phoenix');
    expect(server.handshakes[0]?.token).toBe('ana');
  });
});
