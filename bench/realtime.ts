import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topicName, topics } from '@atoll/contract';
import { Socket } from 'phoenix';
import { WebSocket } from 'ws';
import { projects } from '../apps/server/src/features/projects/table.ts';
import { sessions } from '../apps/server/src/features/sessions/table.ts';
import { users } from '../apps/server/src/features/users/table.ts';
import { newId } from '../apps/server/src/platform/db/columns.ts';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { hashSecret, newSecret } from '../apps/server/src/platform/secrets.ts';
import { freePort } from '../apps/server/src/test/machine.ts';
import { startNats } from '../apps/server/src/test/servers/nats-server.ts';
import { startPostgres } from '../apps/server/src/test/servers/postgres-server.ts';
import { p95, percentile, type Result } from './report.ts';

const people = 2_000;

/** Whole servers on PostgreSQL: commands that write, everybody dropped at once, and two servers over NATS. */
export async function realtime(): Promise<Result[]> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const children: ChildProcess[] = [];
  try {
    const url = postgres.urlOf('bench');
    const admin = await openDatabase({ url: postgres.urlOf('postgres'), dataFolder: folder });
    await admin.db.execute('create database bench');
    await admin.close();
    const { tokens, userIds, projectIds } = await fill(url, folder);
    const run = async (script: string, args: string[], env: Record<string, string> = {}) => {
      const child = fork(join(import.meta.dirname, script), args, { env: { ...process.env, ...env } });
      children.push(child);
      const [port] = (await once(child, 'message')) as [number];
      return { child, port };
    };
    const server = async (name: string, env: Record<string, string> = {}) => {
      const port = await freePort();
      const child = fork(join(import.meta.dirname, '../apps/server/src/main.ts'), [], {
        env: {
          ...process.env,
          ATOLL_DATA: join(folder, name),
          PORT: String(port),
          DATABASE_URL: url,
          ATOLL_LOG_LEVEL: 'error',
          ...env,
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.push(child);
      await answering(port);
      return port;
    };
    const port = await server('one');
    const bare = await run('realtime-bare.ts', [url, userIds[0] ?? '']);
    const results = await writes(port, bare.port, tokens[0] ?? '');
    const proxy = await run('realtime-proxy.ts', [String(port)]);
    results.push(...(await dropped(port, proxy, tokens, projectIds[0] ?? '')));
    const nats = await startNats();
    const [here, there] = [await server('two', { NATS_URL: nats.url }), await server('three', { NATS_URL: nats.url })];
    results.push(await between(here, there, tokens, projectIds));
    for (const child of children) child.kill('SIGKILL');
    await nats.stop();
    return results;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(url: string, folder: string) {
  const { db, close } = await openDatabase({ url, dataFolder: folder });
  const now = new Date();
  const tokens = Array.from({ length: people }, newSecret);
  const userIds = tokens.map(newId);
  const projectIds = Array.from({ length: 50 }, newId);
  await db
    .insert(users)
    .values(userIds.map((id, n) => ({ id, userName: `person_${n}`, createdAt: now, activeAt: now })));
  await db.insert(sessions).values(
    tokens.map((token, n) => ({
      tokenHash: hashSecret(token),
      userId: userIds[n] ?? '',
      method: 'password',
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
      userAgent: '',
      ip: '',
    })),
  );
  const fields = { name: 'Bench', visibility: 'open' as const, createdAt: now, updatedAt: now, ownedAt: now };
  await db.insert(projects).values(projectIds.map((id, n) => ({ ...fields, id, ownerId: userIds[n] ?? '' })));
  await close();
  return { tokens, userIds, projectIds };
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/atoll/ready`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The server did not start');
}

async function socketToken(port: number, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/atoll/v1/me/socket_token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await answer.json()) as { token: string }).token;
}

async function writes(port: number, barePort: number, token: string): Promise<Result[]> {
  const address = `ws://127.0.0.1:${port}/api/atoll/socket/websocket?vsn=2.0.0&token=${await socketToken(port, token)}`;
  const ours = new WebSocket(address);
  const bare = new WebSocket(`ws://127.0.0.1:${barePort}`);
  await Promise.all([once(ours, 'open'), once(bare, 'open')]);
  ours.send(JSON.stringify(['1', '1', 'tracking', 'phx_join', {}]));
  await once(ours, 'message');
  const command = () => {
    const events = [{ name: 'bench', properties: {}, at: new Date().toISOString() }];
    return JSON.stringify(['1', '7', 'tracking', 'track', { request_id: crypto.randomUUID(), events }]);
  };
  const closed = new AbortController();
  for (const socket of [ours, bare]) socket.once('close', (code) => closed.abort(new Error(`closed with ${code}`)));
  const trip = async (socket: WebSocket) => {
    const began = performance.now();
    socket.send(command());
    const [answer] = await once(socket, 'message', { signal: closed.signal });
    if (String(answer).includes('"error"')) throw new Error(String(answer));
    return performance.now() - began;
  };
  const times: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let round = -6; round < 20; round++) {
    const next = performance.now() + 1_100;
    // Below what one connection may send in a second, and in turn, so that what else the machine does is the same for both.
    for (let n = 0; n < 100; n++) {
      const [one, other] = [await trip(ours), await trip(bare)];
      if (round < 0) continue;
      times.ours.push(one);
      times.bare.push(other);
    }
    await new Promise((resolve) => setTimeout(resolve, next - performance.now()));
  }
  ours.close();
  bare.close();
  return [50, 99].map((part) => ({
    name: `round trip of a command that writes, p${part}`,
    value: percentile(times.ours, part / 100),
    unit: 'ms',
    peer: { name: 'a bare ws echo after the same transaction', value: percentile(times.bare, part / 100) },
    limit: { of: 'ratio' as const, max: 1.5 },
  }));
}

/** As the browser does: a fresh token, then the official client with the product's delays. */
function client(port: number, viaPort: number, token: string, topic: string) {
  let authToken = '';
  let joins = 0;
  let onJoin = () => {};
  const delays = [10, 50, 100, 150, 200, 250, 500, 1000, 2000];
  const socket = new Socket(`ws://127.0.0.1:${viaPort}/api/atoll/socket`, {
    transport: WebSocket,
    params: () => ({ token: authToken }),
    reconnectAfterMs: (tries) => delays[tries - 1] ?? 5_000,
    rejoinAfterMs: (tries) => [1_000, 2_000, 5_000][tries - 1] ?? 10_000,
  });
  const channel = socket.channel(topic);
  channel.join().receive('ok', () => {
    joins++;
    onJoin();
  });
  const renew = async () => {
    authToken = await socketToken(port, token);
  };
  let isOver = false;
  // Each needs a new token before it may come back, as in the browser.
  socket.onClose(() => isOver || void renew());
  return {
    socket,
    disconnect() {
      isOver = true;
      socket.disconnect();
    },
    async connect() {
      await renew();
      socket.connect();
    },
    joined: (count: number) =>
      new Promise<void>((resolve) => {
        onJoin = () => joins >= count && resolve();
        onJoin();
      }),
  };
}

async function dropped(
  port: number,
  proxy: { child: ChildProcess; port: number },
  tokens: string[],
  projectId: string,
): Promise<Result[]> {
  const topic = topicName(topics.projectFiles, { projectId });
  const clients = tokens.map((token) => client(port, proxy.port, token, topic));
  for (let first = 0; first < clients.length; first += 100) {
    const batch = clients.slice(first, first + 100);
    await Promise.all(batch.map((one) => one.connect()));
    await Promise.all(batch.map((one) => one.joined(1)));
  }
  const asking = fork(join(import.meta.dirname, 'realtime-rest.ts'), [
    `http://127.0.0.1:${port}`,
    ...tokens.slice(0, 50),
  ]);
  await once(asking, 'message');
  const began = performance.now();
  proxy.child.send('cut');
  await Promise.all(clients.map((one) => one.joined(2)));
  const seconds = (performance.now() - began) / 1000;
  asking.send('stop');
  const [rest] = (await once(asking, 'message')) as [number[]];
  for (const one of clients) one.disconnect();
  return [
    {
      name: `${people.toLocaleString('en')} clients dropped at once: all joined again`,
      value: seconds,
      unit: 's',
      limit: { of: 'value', max: 30 },
    },
    {
      name: `GET /v1/me meanwhile, p95 of ${rest.length}`,
      value: p95(rest),
      unit: 'ms',
      limit: { of: 'value', max: 500 },
    },
  ];
}

async function between(here: number, there: number, tokens: string[], projectIds: string[]): Promise<Result> {
  const one = client(there, there, tokens[0] ?? '', topicName(topics.projectFiles, { projectId: projectIds[0] ?? '' }));
  await one.connect();
  await one.joined(1);
  let wake = (_time: number) => {};
  one.socket.onMessage(({ event }) => {
    if (event === 'project_changed') wake(performance.now());
  });
  for (const projectId of projectIds.slice(1)) {
    const channel = one.socket.channel(topicName(topics.projectFiles, { projectId }));
    await new Promise((resolve) => channel.join().receive('ok', resolve));
  }
  const times: number[] = [];
  for (let n = 0; n < 150; n++) {
    const arrived = new Promise<number>((resolve) => {
      wake = resolve;
    });
    const began = performance.now();
    const who = n % projectIds.length;
    const answer = await fetch(`http://127.0.0.1:${here}/api/atoll/v1/notebooks/${projectIds[who]}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${tokens[who]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: `Round ${n}` }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    // From the request on, which is more than from the commit on.
    times.push((await arrived) - began);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  one.disconnect();
  return {
    name: 'a change on one server at a client of another, over NATS, p95 from the request',
    value: p95(times.slice(50)),
    unit: 'ms',
    limit: { of: 'value', max: 50 },
  };
}
