import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { ChannelHandler, ChannelServerOptions } from './index.ts';
import {
  clients,
  connect,
  disconnectAll,
  gate,
  joined,
  next,
  outcome,
  type Person,
  path,
  server,
  startServer,
  until,
} from './test/harness.ts';

const proxies: Server[] = [];
afterEach(async () => {
  await disconnectAll();
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections();
    proxy.close();
  }
  await server.stop();
});

const room: ChannelHandler<Person> = {
  join: async () => ({ response: { welcome: true } }),
  command: async (_channel, _event, payload) => ({ status: 'ok', response: payload as object }),
};

interface Answer {
  status: number;
  token: string;
  messages?: string[];
}

const address = (query = '') => `http://127.0.0.1:${server.port}${path}/longpoll?vsn=2.0.0${query}`;
const get = async (query = '', init: RequestInit = {}) => {
  const response = await fetch(address(query), init);
  return { http: response.status, headers: response.headers, body: (await response.json()) as Answer };
};
const post = (token: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/x-ndjson') =>
  get(`&token=${token}`, { method: 'POST', body, headers: { 'content-type': type } });
const line = (...message: unknown[]) => JSON.stringify(message);

const start = async (options: Partial<ChannelServerOptions<Person>> = {}, handler = room) => {
  await startServer({ room: handler }, options);
};
const open = async (query = '', init: RequestInit = {}) => (await get(query, init)).body.token;

describe('the answers to polls', () => {
  test('opens a session with 410, answers polls with 200 and 204, and posts with 200', async () => {
    await start();
    const first = await get();
    expect(first).toMatchObject({ http: 200, body: { status: 410, messages: [] } });
    expect(first.headers.get('cache-control')).toBe('no-store');
    const { token } = first.body;
    expect((await post(token, line('1', '1', 'room:1', 'phx_join', {}))).body).toEqual({ status: 200 });
    expect((await get(`&token=${token}`)).body).toEqual({
      status: 200,
      token,
      messages: [line('1', '1', 'room:1', 'phx_reply', { status: 'ok', response: { welcome: true } })],
    });
    expect((await get(`&token=${token}`)).body).toEqual({ status: 204, token, messages: [] });
  });

  test('accepts the token in a header, which takes precedence', async () => {
    await start();
    const token = await open();
    const headers = { 'x-phoenix-longpoll-token': token };
    expect((await get('&token=other', { headers })).body.status).toBe(204);
  });

  test('answers a held poll as soon as there is a message, with all messages of one turn', async () => {
    await start();
    const token = await open();
    await post(token, line('1', '1', 'room:1', 'phx_join', {}));
    await get(`&token=${token}`);
    const poll = get(`&token=${token}`);
    await until(() => server.channels.stats().connections === 1);
    server.channels.broadcast('room:1', 'a', {});
    server.channels.broadcast('room:1', 'b', {});
    expect((await poll).body.messages).toHaveLength(2);
  });

  test('a second poll replaces the first', async () => {
    await start({ limits: { pollWindowMs: 60_000 } });
    const token = await open();
    const control = new AbortController();
    const polls = [1, 2].map(() => get(`&token=${token}`, { signal: control.signal }));
    expect((await Promise.race(polls)).body.status).toBe(204);
    control.abort();
    await Promise.allSettled(polls);
  });

  test('answers 410 for an unknown session, for polls and posts', async () => {
    await start();
    const unknown = `lp_${'a'.repeat(32)}`;
    expect((await get(`&token=${unknown}`)).body).toEqual({ status: 410 });
    expect((await post(unknown, line('1', '1', 'room:1', 'phx_join', {}))).body).toEqual({ status: 410 });
    expect(server.channels.stats().connections).toBe(0);
  });

  test('a refused client gets 403 in the body', async () => {
    await start({ isOriginAllowed: (origin) => origin !== 'https://theirs' });
    expect(await get('', { headers: { origin: 'https://theirs' } })).toMatchObject({
      http: 200,
      body: { status: 403 },
    });
    expect((await get('', { headers: { 'x-phoenix-authtoken': 'wrong' } })).body).toEqual({ status: 403 });
    const response = await fetch(address().replace('vsn=2.0.0', 'vsn=1.0.0'));
    expect(await response.json()).toEqual({ status: 403 });
  });

  test('an authenticator that fails, and one connection too many, are 500', async () => {
    await start({
      authenticate: async ({ token }) => {
        if (token === 'broken') throw new Error('database away');
        return { name: 'ana' };
      },
      limits: { maxConnections: 1 },
    });
    expect((await get('&token=broken')).body).toEqual({ status: 500 });
    await open();
    expect((await get()).body).toEqual({ status: 500 });
    expect((await get('', { method: 'PUT' })).body).toEqual({ status: 500 });
  });

  test('answers CORS requests of other origins as browsers require', async () => {
    await start();
    const response = await fetch(address(), {
      method: 'OPTIONS',
      headers: { origin: 'https://ours', 'access-control-request-headers': 'x-phoenix-authtoken' },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'https://ours',
      'access-control-allow-methods': 'get, post, options',
      'access-control-allow-headers': 'x-phoenix-authtoken',
    });
    const { headers } = await get('', { headers: { origin: 'https://ours' } });
    expect(headers.get('access-control-allow-origin')).toBe('https://ours');
  });

  test('treats any other content type as one message', async () => {
    await start();
    const token = await open();
    await post(token, line('1', '1', 'room:1', 'phx_join', {}), 'text/plain');
    expect((await get(`&token=${token}`)).body.messages).toHaveLength(1);
  });

  test('answers 408 to a post that finds no room within the window', async () => {
    const working = gate();
    await start(
      { limits: { maxCommandsInFlight: 2, pollWindowMs: 30, idleTimeoutMs: 60_000 } },
      {
        ...room,
        command: () => working.opened.then(() => ({ status: 'ok' })),
      },
    );
    const token = await open();
    const polling = { isOn: true };
    const poll = async () => {
      while (polling.isOn) await get(`&token=${token}`);
    };
    const polled = poll();
    const lines = [
      line('1', '1', 'room:1', 'phx_join', {}),
      ...Array.from({ length: 3 }, (_, n) => line('1', `${n + 2}`, 'room:1', 'x', {})),
    ];
    expect((await post(token, lines.join('\n'))).body).toEqual({ status: 408 });
    working.release();
    polling.isOn = false;
    await polled;
  });

  test('ends a session without polls, and bounds its waiting messages', async () => {
    await start({ limits: { pollWindowMs: 500, maxQueuedBytes: 5_000 } });
    const [quiet, slow] = [await open(), await open()];
    await post(slow, line('1', '1', 'room:1', 'phx_join', {}));
    await until(() => server.channels.stats().channels === 1);
    for (let n = 0; n < 20; n++) server.channels.broadcast('room:1', 'data', { filler: 'x'.repeat(1_000) });
    expect(server.channels.stats()).toMatchObject({ slowClosed: 1, channels: 0 });
    expect((await get(`&token=${slow}`)).body.messages?.length).toBeLessThan(8);
    expect((await get(`&token=${slow}`)).body).toEqual({ status: 410 });
    await until(() => server.channels.stats().connections === 0);
    expect((await get(`&token=${quiet}`)).body).toEqual({ status: 410 });
  });

  test.each([
    ['no message', '[1]', 'malformed'],
    ['no UTF-8', Uint8Array.of(0x5b, 0xff, 0x5d), 'malformed'],
    ['no base64 of a message', '!!!', 'malformed'],
    ['a line too long', `["1","1","room:1","x","${'x'.repeat(90_000)}"]`, 'too large'],
    ['a message too large', `["1","1","room:1","x","${'x'.repeat(70_000)}"]`, 'too large'],
  ])('%s ends the session', async (_name, body, reason) => {
    await start();
    const token = await open();
    expect((await post(token, body)).body).toEqual({ status: 410 });
    expect((await get(`&token=${token}`)).body).toEqual({ status: 410 });
    expect(server.channels.stats()).toMatchObject({ connections: 0, refused: { [reason]: 1 } });
  });

  test('answers a flood with 403', async () => {
    await start({ limits: { messagesPerSecond: 0.001, messageBurst: 5 } });
    const token = await open();
    const lines = Array.from({ length: 10 }, (_, n) => line(null, `${n}`, 'phoenix', 'heartbeat', {}));
    expect((await post(token, lines.join('\n'))).body).toEqual({ status: 410 });
    expect((await get(`&token=${token}`)).body.messages).toHaveLength(5);
    expect((await get(`&token=${token}`)).body).toEqual({ status: 403 });
  });
});

describe.each(clients)('polling with phoenix $version', ({ phoenix }) => {
  test('opens a lost session again and rejoins', async () => {
    await start();
    const socket = connect(phoenix, server.url, { transport: 'longpoll' });
    const channel = await joined(socket, 'room:1');
    server.channels.closeWhere(() => true, 1012, 'restart');
    await until(() => channel.state !== 'joined');
    await until(() => channel.state === 'joined');
    expect(await outcome(channel.push('save', { n: 1 }))).toMatchObject({ response: { n: 1 } });
    const heard = next(channel, 'news');
    server.channels.broadcast('room:1', 'news', { n: 2 });
    expect(await heard).toEqual({ n: 2 });
  });

  test('reconnects to a server that was away for a while, with error pages in between', async () => {
    await start();
    const target = server.port;
    let isDown = false;
    const proxy = createServer((request, response) => {
      if (isDown) return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      server.channels.handleLongPoll(request, response);
    });
    proxies.push(proxy);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const url = server.url.replace(`${target}`, `${port}`);
    const socket = connect(phoenix, url, { transport: 'longpoll' });
    const channel = await joined(socket, 'room:1');
    isDown = true;
    let errors = 0;
    socket.onError(() => errors++);
    await until(() => errors > 3);
    isDown = false;
    await until(() => channel.state === 'joined');
    expect(await outcome(channel.push('save', { n: 1 }))).toMatchObject({ response: { n: 1 } });
  });
});

describe.each(clients)('falling back from WebSocket, with phoenix $version', ({ phoenix }) => {
  const memory = () => {
    const values = new Map<string, string>();
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    };
  };

  /** Passes polls on, and handles upgrades with the given function. */
  const behind = async (onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void) => {
    await start();
    const proxy = createServer((request, response) => void server.channels.handleLongPoll(request, response));
    proxy.on('upgrade', onUpgrade);
    proxies.push(proxy);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    return server.url.replace(`${server.port}`, `${(proxy.address() as AddressInfo).port}`);
  };

  test('that is refused', async () => {
    const url = await behind((_request, socket) => socket.destroy());
    const sessionStorage = memory();
    const socket = connect(phoenix, url, { longPollFallbackMs: 10_000, sessionStorage });
    await joined(socket, 'room:1');
    expect(server.handshakes[0]?.transport).toBe('longpoll');
    await until(() => sessionStorage.getItem('phx:fallback:LongPoll') === 'true');
  });

  test('that opens and stays mute', async () => {
    const mute = new WebSocketServer({ noServer: true });
    const url = await behind((request, socket, head) => mute.handleUpgrade(request, socket, head, () => {}));
    const socket = connect(phoenix, url, { longPollFallbackMs: 50, sessionStorage: memory() });
    await joined(socket, 'room:1');
    expect(server.handshakes[0]?.transport).toBe('longpoll');
    mute.close();
  });

  test('that works: no fallback', async () => {
    await start();
    const socket = connect(phoenix, server.url, { longPollFallbackMs: 5_000, sessionStorage: memory() });
    await joined(socket, 'room:1');
    expect(server.handshakes.map(({ transport }) => transport)).toEqual(['websocket']);
  });
});
