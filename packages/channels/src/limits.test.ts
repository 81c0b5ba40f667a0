import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  clients,
  closeAll,
  connect,
  echo,
  gate,
  joined,
  outcome,
  path,
  raw,
  server,
  startEcho,
  startServer,
  until,
} from './test/harness.ts';

afterEach(closeAll);

const status = (url: string, options: { origin?: string; protocols?: string[] } = {}) =>
  new Promise<number>((resolve) => {
    const ws = new WebSocket(url, options.protocols ?? [], { origin: options.origin });
    ws.on('open', () => resolve(101));
    ws.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    ws.on('error', () => {});
  });

describe('the upgrade', () => {
  test('refuses foreign origins, other versions and wrong tokens with 403', async () => {
    await startServer({ room: echo }, { isOriginAllowed: (origin) => origin === null || origin === 'https://ours' });
    const url = `${server.url}/websocket`;
    expect(await status(`${url}?vsn=2.0.0`, { origin: 'https://theirs' })).toBe(403);
    expect(await status(`${url}?vsn=2.0.0`, { origin: 'https://ours' })).toBe(101);
    expect(await status(url)).toBe(403);
    expect(await status(`${url}?vsn=1.0.0`)).toBe(403);
    expect(await status(`${url}?vsn=2.0.0&token=wrong`)).toBe(403);
    expect(server.channels.stats().refused).toEqual({ origin: 1, version: 2, authentication: 1 });
  });

  test('leaves another path to others, but does not let it hang', async () => {
    await startEcho();
    expect(await status(`ws://127.0.0.1:${server.port}/elsewhere`)).toBe(404);
  });

  test('an authenticator that fails or hangs is a 503', async () => {
    let hang = false;
    await startServer(
      { room: echo },
      {
        authenticate: () => (hang ? new Promise(() => {}) : Promise.reject(new Error('database away'))),
        limits: { handshakeTimeoutMs: 20 },
      },
    );
    expect(await status(`${server.url}/websocket?vsn=2.0.0`)).toBe(503);
    hang = true;
    expect(await status(`${server.url}/websocket?vsn=2.0.0`)).toBe(503);
    expect(server.errors.map(String)).toEqual(['Error: database away', 'Error: The handshake took too long']);
  });

  test('a client that disconnects while it is being authenticated leaves nothing behind', async () => {
    const [asked, answer] = [gate(), gate()];
    await startServer(
      { room: echo },
      {
        async authenticate() {
          asked.release();
          await answer.opened;
          return { name: 'late' };
        },
      },
    );
    const socket = connectTcp(server.port, '127.0.0.1');
    const key = 'dGhlIHNhbXBsZSBub25jZQ==';
    socket.write(
      `GET ${path}/websocket?vsn=2.0.0 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await asked.opened;
    socket.resetAndDestroy();
    await once(socket, 'close');
    answer.release();
    expect(await status(`${server.url}/websocket?vsn=2.0.0`)).toBe(101);
    await until(() => server.channels.stats().connections <= 1);
  });

  test('limits the number of connections', async () => {
    await startEcho({ maxConnections: 2 });
    await raw(server.url);
    await raw(server.url);
    expect(await status(`${server.url}/websocket?vsn=2.0.0`)).toBe(503);
    expect(server.channels.stats().refused).toEqual({ connections: 1 });
  });
});

describe('too much', () => {
  test('a flood closes the connection with 1008', async () => {
    await startEcho({ messagesPerSecond: 0.001, messageBurst: 20 });
    const { send, closed, heard } = await raw(server.url);
    for (let n = 1; n <= 30; n++) send([null, `${n}`, 'phoenix', 'heartbeat', {}]);
    expect(await closed).toEqual({ code: 1008, reason: 'flood' });
    expect(heard).toHaveLength(20);
    expect(server.channels.stats().refused).toEqual({ flood: 1 });
  });

  test('stops reading from a connection with too much to do until there is room', async () => {
    const open = gate();
    let running = 0;
    await startServer(
      {
        room: {
          join: async () => ({}),
          async command() {
            running++;
            await open.opened;
            return { status: 'ok' };
          },
        },
      },
      { limits: { maxCommandsInFlight: 4 } },
    );
    const { ws, send, hear } = await raw(server.url);
    send(['1', '1', 'room:1', 'phx_join', {}]);
    await hear(1);
    for (let n = 2; n < 6; n++) send(['1', `${n}`, 'room:1', 'work', {}]);
    await until(() => server.channels.stats().commands === 4);
    // More than the buffers between hold, so that sending blocks on the way.
    const filler = 'x'.repeat(60_000);
    for (let n = 6; n < 300; n++) send(['1', `${n}`, 'room:1', 'work', { filler }]);
    await until(() => ws.bufferedAmount > 0);
    expect(server.channels.stats().commands).toBeLessThan(10);
    expect(running).toBe(1);
    open.release();
    await hear(299);
    expect(server.channels.stats()).toMatchObject({ commands: 0, refused: {} });
  });

  test('closes a connection like a silent one when endless commands keep it from being read', async () => {
    await startServer(
      { room: { join: async () => ({}), command: () => new Promise(() => {}) } },
      { limits: { maxCommandsInFlight: 2, idleTimeoutMs: 100 } },
    );
    const { send, hear, closed } = await raw(server.url);
    send(['1', '1', 'room:1', 'phx_join', {}]);
    await hear(1);
    for (const ref of ['2', '3']) send(['1', ref, 'room:1', 'work', {}]);
    expect(await closed).toEqual({ code: 1001, reason: 'idle' });
    await until(() => server.channels.stats().connections === 0);
    expect(server.channels.stats().idleClosed).toBe(1);
  });

  test('closes a client that does not read, bounds its queue, and does not affect others', async () => {
    await startEcho({ maxQueuedBytes: 256 * 1024, closeTimeoutMs: 50 });
    const slow = await raw(server.url);
    const others = await Promise.all([raw(server.url), raw(server.url)]);
    for (const { send, hear } of [slow, ...others]) {
      send(['1', '1', 'room:1', 'phx_join', {}]);
      await hear(1);
    }
    slow.ws.pause();
    const filler = 'x'.repeat(32 * 1024);
    let sent = 0;
    let most = 0;
    while (server.channels.stats().slowClosed === 0) {
      server.channels.broadcast('room:1', 'data', { n: sent++, filler });
      most = Math.max(most, server.channels.stats().queuedBytes);
      await Promise.all(others.map(({ hear }) => hear(1 + sent)));
    }
    expect(most).toBeLessThan(256 * 1024 + 2 * 33 * 1024);
    expect(server.channels.stats().channels).toBe(2);
    await until(() => server.channels.stats().connections === 2);
    expect(server.channels.stats().queuedBytes).toBe(0);
    server.channels.broadcast('room:1', 'data', { n: 'last' });
    for (const { hear } of others) expect((await hear(2 + sent)).at(-1)).toMatchObject({ 4: { n: 'last' } });
  });

  test('a client that reads again in time learns why it was closed', async () => {
    await startEcho({ maxQueuedBytes: 64 * 1024, closeTimeoutMs: 60_000, idleTimeoutMs: 400_000 });
    const slow = await raw(server.url);
    slow.send(['1', '1', 'room:1', 'phx_join', {}]);
    await slow.hear(1);
    slow.ws.pause();
    const filler = 'x'.repeat(64 * 1024);
    while (server.channels.stats().slowClosed === 0) {
      server.channels.broadcast('room:1', 'data', { filler });
      await new Promise((resolve) => setImmediate(resolve));
    }
    slow.ws.resume();
    expect(await slow.closed).toEqual({ code: 1013, reason: 'slow' });
  });

  test('refuses a waiting join when its topic overflows', async () => {
    const entered = gate();
    await startServer(
      {
        room: {
          async join() {
            entered.release();
            return new Promise(() => {});
          },
          command: async () => ({ status: 'ok' }),
        },
      },
      { limits: { maxQueuedBytes: 10_000 } },
    );
    const { send, hear } = await raw(server.url);
    send(['1', '1', 'room:1', 'phx_join', {}]);
    await entered.opened;
    for (let n = 0; n < 12; n++) server.channels.broadcast('room:1', 'data', { filler: 'x'.repeat(1_000) });
    expect(await hear(1)).toMatchObject([{ 4: { status: 'error', response: { reason: 'join overflow' } } }]);
  });
});

describe.each(clients)('closing, with phoenix $version', ({ version, phoenix }) => {
  test('closes a silent connection, and keeps one with heartbeats', async () => {
    await startEcho({ idleTimeoutMs: 4_000 });
    const silent = await raw(server.url);
    // A client without an answer before its next heartbeat treats the connection as dead.
    const beating = connect(phoenix, server.url, { heartbeatIntervalMs: 1_000 });
    await joined(beating, 'room:1');
    let closes = 0;
    beating.onClose(() => closes++);
    expect(await silent.closed).toEqual({ code: 1001, reason: 'idle' });
    await until(() => server.channels.stats().idleClosed === 1);
    expect(closes).toBe(0);
  });

  test.each([1001, 1008, 1011, 1012, 1013, 4001])('with %i the client comes back and joins again', async (code) => {
    await startEcho();
    const socket = connect(phoenix, server.url);
    const channel = await joined(socket, 'room:1');
    const closed = gate<{ code: number; reason: string }>();
    socket.onClose(closed.release);
    expect(server.channels.closeWhere(() => true, code, 'because')).toBe(1);
    expect(await closed.opened).toMatchObject({ code, reason: 'because' });
    await until(() => channel.state === 'joined');
    expect(await outcome(channel.push('save', {}))).toMatchObject({ status: 'ok' });
  });

  test('with 1000 the older client stays away and the newer one comes back', async () => {
    await startEcho();
    const socket = connect(phoenix, server.url);
    const channel = await joined(socket, 'room:1');
    const closed = gate<{ code: number }>();
    socket.onClose(closed.release);
    server.channels.closeWhere(() => true, 1000, '');
    await closed.opened;
    if (version === '1.8.12') expect(channel.state).toBe('errored');
    else await until(() => channel.state === 'joined');
  });

  test('does not resend pushes from before the connection died, but sends later ones', async () => {
    const [started, working] = [gate(), gate()];
    const done: unknown[] = [];
    await startServer({
      room: {
        join: async () => ({}),
        async command(_channel, event, payload) {
          if (event === 'wait') {
            started.release();
            await working.opened;
          }
          done.push(payload);
          return { status: 'ok' };
        },
      },
    });
    const socket = connect(phoenix, server.url);
    const channel = await joined(socket, 'room:1');
    const lost = outcome(channel.push('wait', { n: 1 }, 300));
    await started.opened;
    server.channels.closeWhere(() => true, 1012, 'restart');
    await until(() => channel.state !== 'joined');
    const kept = outcome(channel.push('save', { n: 2 }));
    working.release();
    expect(await kept).toMatchObject({ status: 'ok' });
    expect(await lost).toMatchObject({ status: 'timeout' });
    expect(done).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('draining closes all with 1012 in batches, accepts no new ones and waits for the last command', async () => {
    const [started, working] = [gate(), gate()];
    await startServer(
      {
        room: {
          join: async () => ({}),
          async command() {
            started.release();
            await working.opened;
            return { status: 'ok' };
          },
        },
      },
      { limits: { drainBatch: 2, drainIntervalMs: 5 } },
    );
    const sockets = await Promise.all(Array.from({ length: 5 }, () => raw(server.url)));
    const channel = await joined(connect(phoenix, server.url), 'room:1');
    channel.push('work', {});
    await started.opened;
    let isDrained = false;
    const drained = server.channels.drain().then(() => {
      isDrained = true;
    });
    for (const { closed } of sockets) expect(await closed).toEqual({ code: 1012, reason: 'restart' });
    expect(await status(`${server.url}/websocket?vsn=2.0.0`)).toBe(503);
    expect(isDrained).toBe(false);
    working.release();
    await drained;
    expect(server.channels.stats()).toMatchObject({ connections: 0, channels: 0, commands: 0 });
  });
});
