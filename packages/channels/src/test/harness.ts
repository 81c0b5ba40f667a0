import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as newest from 'phoenix';
import * as older from 'phoenix-1-8-12';
import { WebSocket } from 'ws';
import {
  type ChannelHandler,
  type ChannelServerOptions,
  createChannelServer,
  type Handshake,
  type Limits,
} from '../index.ts';

export interface Person {
  name: string;
}

export const clients: { version: string; phoenix: PhoenixClient }[] = [
  { version: '1.8.12', phoenix: older },
  { version: '1.8.16', phoenix: newest },
];

export const transports = ['websocket', 'longpoll'] as const;

/** Every version of the client with every transport. */
export const combinations = clients.flatMap(({ version, phoenix }) =>
  transports.map((transport) => ({ version, phoenix, transport })),
);

export interface Started {
  channels: ReturnType<typeof createChannelServer<Person>>;
  url: string;
  port: number;
  handshakes: Handshake[];
  errors: unknown[];
  stop(): Promise<void>;
}

export const path = '/api/atoll/socket';

/** The most recently started server. */
export let server: Started;

/** A server whose handlers are chosen by the part of the topic before the colon. */
export async function startServer(
  handlers: Record<string, ChannelHandler<Person>>,
  options: Partial<ChannelServerOptions<Person>> = {},
): Promise<Started> {
  const handshakes: Handshake[] = [];
  const errors: unknown[] = [];
  const channels = createChannelServer<Person>({
    path,
    isOriginAllowed: () => true,
    async authenticate(handshake) {
      handshakes.push(handshake);
      return handshake.token === 'wrong' ? null : { name: handshake.token ?? 'anonymous' };
    },
    route: (topic) => handlers[topic.split(':')[0] ?? ''] ?? null,
    onError: (error) => errors.push(error),
    ...options,
    limits: { closeTimeoutMs: 200, pollWindowMs: 200, ...options.limits },
  });
  const http = createServer((request, response) => {
    if (!channels.handleLongPoll(request, response)) response.writeHead(404).end();
  });
  channels.attach(http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  server = {
    channels,
    url: `ws://127.0.0.1:${port}${path}`,
    port,
    handshakes,
    errors,
    async stop() {
      channels.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

const open: PhoenixSocket[] = [];

export function connect(
  phoenix: PhoenixClient,
  url: string,
  { transport = 'websocket', ...options }: Omit<PhoenixSocketOptions, 'transport'> & { transport?: string } = {},
): PhoenixSocket {
  const socket = new phoenix.Socket(url, {
    transport: transport === 'longpoll' ? phoenix.LongPoll : WebSocket,
    reconnectAfterMs: () => 5,
    rejoinAfterMs: () => 5,
    ...options,
  });
  open.push(socket);
  socket.connect();
  return socket;
}

export async function disconnectAll(): Promise<void> {
  await Promise.all(open.splice(0).map((socket) => new Promise<void>((resolve) => socket.disconnect(resolve))));
}

export async function closeAll(): Promise<void> {
  await disconnectAll();
  await server.stop();
}

/** Answers commands with their own payload. */
export const echo: ChannelHandler<Person> = {
  join: async () => ({}),
  command: async (_channel, _event, payload) => ({ status: 'ok', response: payload as object }),
};
export const startEcho = (limits: Partial<Limits> = {}) => startServer({ room: echo }, { limits });

export interface Outcome {
  status: 'ok' | 'error' | 'timeout';
  response: Record<string, unknown>;
}

/** The first answer to a push or join. */
export const outcome = (push: PhoenixPush) =>
  new Promise<Outcome>((resolve) => {
    for (const status of ['ok', 'error', 'timeout'] as const) {
      push.receive(status, (response) => resolve({ status, response }));
    }
  });

export const joined = async (socket: PhoenixSocket, topic: string, params?: object | (() => object)) => {
  const channel = socket.channel(topic, params);
  const result = await outcome(channel.join());
  if (result.status !== 'ok') throw new Error(`Join of ${topic}: ${JSON.stringify(result)}`);
  return channel;
};

/** Resolves with the next payload of the event. */
export const next = <T = Record<string, unknown>>(channel: PhoenixChannel, event: string) =>
  new Promise<T>((resolve) => {
    const ref = channel.on(event, (payload) => {
      channel.off(event, ref);
      resolve(payload);
    });
  });

export function gate<T = void>() {
  let release: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    release = resolve;
  });
  return { opened, release };
}

/** Waits until something holds; only the test's own time limit ends it otherwise. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A bare socket that sends anything and keeps the received messages. */
export async function raw(url: string, protocols: string[] = [], query = 'vsn=2.0.0') {
  const ws = new WebSocket(`${url}/websocket?${query}`, protocols);
  const heard: unknown[] = [];
  const closed = gate<{ code: number; reason: string }>();
  ws.on('message', (data, isBinary) => heard.push(isBinary ? data : JSON.parse(data.toString())));
  ws.on('error', () => {});
  ws.on('close', (code, reason) => closed.release({ code, reason: reason.toString() }));
  await once(ws, 'open');
  return {
    ws,
    heard,
    closed: closed.opened,
    send: (message: unknown) => ws.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async hear(count: number) {
      await until(() => heard.length >= count);
      return heard;
    },
  };
}
