import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { topicName, topics } from '@atoll/contract';
import { testPython } from '@atoll/kernels/test-python';
import { LongPoll, Socket } from 'phoenix';
import { expect, inject, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../test/machine.ts';
import { compiledOnce } from '../../test/server-process.ts';
import { createTestApp, testSecretKey } from '../../test/test-app.ts';
import type { MessageBus } from '../messages/bus.ts';

/** Cuts off all clients between the commit and the first message about it. */
function killingBus() {
  const bus = {
    kill: () => {},
    publish(subject: string) {
      if (subject === 'topics') bus.kill();
    },
    subscribe: async () => () => {},
    close: async () => {},
  };
  return bus satisfies MessageBus;
}

interface Event {
  position: number;
  payload: { files?: { name: string }[] };
}

/** The official client, and the names it has received. */
function follow(url: string, authToken: string, topic: string, transport: unknown) {
  const names: string[] = [];
  let lastSeen = 0;
  let wake = () => {};
  const apply = ({ position, payload }: Event) => {
    if (position <= lastSeen) return;
    lastSeen = position;
    names.push(...(payload.files ?? []).map((file) => file.name));
    wake();
  };
  const socket = new Socket(url, { transport, authToken, reconnectAfterMs: () => 5, rejoinAfterMs: () => 5 });
  const channel = socket.channel(topic, () => ({ last_seen: lastSeen }));
  channel.on('files_changed', (payload: Event['payload'] & { position: number }) =>
    apply({ position: payload.position, payload }),
  );
  channel.join().receive('ok', ({ missed }: { missed: Event[] }) => {
    for (const event of missed) apply(event);
  });
  socket.connect();
  onTestFinished(() => socket.disconnect());
  return {
    names,
    async knows(count: number) {
      while (names.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

const rounds = 30;

test('a server killed between commit and broadcast, repeatedly: clients get all events once and in order', async () => {
  const port = await freePort();
  const first = await createTestApp();
  const { token } = await first.person();
  const { id: projectId } = await first.project(token);
  const answer = await first.call<{ token: string }>('POST', '/v1/me/socket_token', { token });
  const url = `ws://127.0.0.1:${port}/api/atoll/socket`;
  const topic = topicName(topics.projectFiles, { projectId });
  const clients = [WebSocket, WebSocket, WebSocket, LongPoll].map((transport) =>
    follow(url, answer.body.token, topic, transport),
  );
  const expected: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const bus = killingBus();
    const server = await createTestApp({ beside: first, bus, keepOpen: true });
    bus.kill = () => server.app.realtime.server.close();
    await server.app.http.listen({ port, host: '127.0.0.1' });
    // All clients are back and have the event that the previous server did not send.
    await Promise.all(clients.map((client) => client.knows(round)));
    const name = `file-${round}.py`;
    expected.push(name);
    await server.call('POST', `/v1/notebooks/${projectId}/files-contents`, { token, body: { name } });
    server.app.http.server.closeAllConnections();
    await server.close();
  }
  const last = await createTestApp({ beside: first });
  await last.app.http.listen({ port, host: '127.0.0.1' });
  await Promise.all(clients.map((client) => client.knows(rounds)));
  for (const client of clients) expect(client.names).toEqual(expected);
});

/** Starting a process takes a second, so the next one starts while this one lives. */
const processes = 3;

test('a server process killed there with SIGKILL: clients get all events once and in order', async () => {
  const port = await freePort();
  const first = await createTestApp();
  const { token } = await first.person();
  const { id: projectId } = await first.project(token);
  const answer = await first.call<{ token: string }>('POST', '/v1/me/socket_token', { token });
  const topic = topicName(topics.projectFiles, { projectId });
  const { rows } = (await first.database.db.execute('select current_database() as name')) as unknown as {
    rows: { name: string }[];
  };
  const start = async () => {
    const child = fork(join(import.meta.dirname, 'test/doomed-server.ts'), {
      env: {
        ATOLL_DATA: first.config.dataFolder,
        ATOLL_SECRET_KEYS: testSecretKey,
        ATOLL_LOG_LEVEL: 'silent',
        ATOLL_KERNEL_SPARE: 'off',
        ATOLL_PYTHON: testPython,
        ...compiledOnce,
        DATABASE_URL: inject('postgresUrl').replace(/\/postgres$/, `/${rows[0]?.name}`),
        PORT: String(port),
        // The clients' token was issued at this time and is valid for a minute.
        TEST_TIME: String(first.clock.time),
      },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    const tell = async (what: 'listen' | 'doom') => {
      child.send(what);
      await once(child, 'message');
    };
    return { child, tell };
  };
  const url = `127.0.0.1:${port}/api/atoll`;
  const clients = [WebSocket, WebSocket, LongPoll].map((transport) =>
    follow(`ws://${url}/socket`, answer.body.token, topic, transport),
  );
  const expected: string[] = [];
  let next = start();
  for (let round = 0; round < processes; round++) {
    const { child, tell } = await next;
    await tell('listen');
    next = start();
    await Promise.all(clients.map((client) => client.knows(round)));
    await tell('doom');
    const died = once(child, 'exit');
    const name = `file-${round}.py`;
    expected.push(name);
    const unanswered = fetch(`http://${url}/v1/notebooks/${projectId}/files-contents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    await expect(unanswered).rejects.toThrow();
    expect(await died).toEqual([null, 'SIGKILL']);
  }
  await (await next).tell('listen');
  await Promise.all(clients.map((client) => client.knows(processes)));
  for (const client of clients) expect(client.names).toEqual(expected);
});
