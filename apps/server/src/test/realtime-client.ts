import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { LongPoll, Socket } from 'phoenix';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { TestApp } from './test-app.ts';

type Fields = Record<string, unknown>;

export interface JoinedTopic {
  channel: PhoenixChannel;
  /** What the join was answered. */
  response: Fields;
  /** Every event so far. */
  events: { event: string; payload: Fields }[];
  /** Resolves with the payload of the next event of this name that fits, or one that has come already. */
  event(name: string, fits?: (payload: Fields) => boolean): Promise<Fields>;
  push(event: string, payload: Fields): Promise<Fields>;
  closed: Promise<void>;
}

/** Listens for real: the official client needs an address. */
export async function listen({ app }: Pick<TestApp, 'app'>): Promise<string> {
  const { server } = app.http;
  if (!server.listening) {
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    if (!server.listening) await once(server, 'listening');
  }
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/atoll/socket`;
}

interface ConnectOptions {
  transport?: 'websocket' | 'longpoll';
}

export async function connect(test: TestApp, token: string, options: ConnectOptions = {}): Promise<PhoenixSocket> {
  const url = await listen(test);
  const answer = await test.call<{ token: string }>('POST', '/v1/me/socket_token', { token });
  const socket = new Socket(url, {
    transport: options.transport === 'longpoll' ? LongPoll : WebSocket,
    authToken: answer.body.token,
    rejoinAfterMs: () => 20,
    reconnectAfterMs: () => 20,
  });
  socket.connect();
  onTestFinished(() => socket.disconnect());
  return socket;
}

export class JoinRefused extends Error {
  readonly response: Fields;

  constructor(response: Fields) {
    super(`Join refused: ${JSON.stringify(response)}`);
    this.response = response;
  }
}

export async function join(socket: PhoenixSocket, topic: string, params: object = {}): Promise<JoinedTopic> {
  const channel = socket.channel(topic, params);
  const events: JoinedTopic['events'] = [];
  const waiting = new Set<() => void>();
  // What is given up before it was sent is told under no name.
  (channel as unknown as { onMessage: unknown }).onMessage = (event: string | null, payload: Fields) => {
    if (event !== null && !event.startsWith('chan_reply') && !event.startsWith('phx_')) {
      events.push({ event, payload });
      for (const check of waiting) check();
    }
    return payload;
  };
  const closed = new Promise<void>((resolve) => channel.onClose(() => resolve()));
  const response = await new Promise<Fields>((resolve, reject) => {
    channel
      .join()
      .receive('ok', resolve)
      .receive('error', (error) => {
        channel.leave();
        reject(new JoinRefused(error));
      });
  });
  return {
    channel,
    response,
    events,
    closed,
    event: (name, fits = () => true) =>
      new Promise((resolve) => {
        const check = () => {
          const found = events.find(({ event, payload }) => event === name && fits(payload));
          if (!found) return;
          waiting.delete(check);
          resolve(found.payload);
        };
        waiting.add(check);
        check();
      }),
    push: (event, payload) =>
      new Promise((resolve, reject) => {
        channel
          .push(event, payload)
          .receive('ok', resolve)
          .receive('error', (error) => reject(new JoinRefused(error)));
      }),
  };
}
