import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { broadcastEvent, broadcastPayload, clientFrame, frameBytes, openSocket, topic } from './channels-wire.ts';
import { median, p95, type Result } from './report.ts';

const sockets = 2_000;
const kinds = ['ours', 'bare'] as const;
type Kind = (typeof kinds)[number];

/** Our channel server beside bare `ws`, each in its own process, this one being all the clients; turn about. */
export async function channels(): Promise<Result[]> {
  return [await broadcasts(), ...(await roundTrips()), await memory(), await besideStalled()];
}

async function broadcasts(): Promise<Result> {
  const perRound = 10;
  const text = JSON.stringify([null, null, topic, broadcastEvent, broadcastPayload]);
  const expected = sockets * perRound * frameBytes(text);
  const times = await turnAbout(async (server) => {
    const clients = await joinAll(server, sockets);
    return async () => {
      const all = receivedBy(clients, expected);
      const began = performance.now();
      server.process.send({ broadcasts: perRound });
      await all;
      return (performance.now() - began) / perRound;
    };
  }, 15);
  return {
    name: `broadcast to ${sockets.toLocaleString('en')} sockets`,
    value: median(times.ours),
    unit: 'ms',
    peer: { name: 'a loop over bare ws', value: median(times.bare) },
    // 0.6 of its speed.
    limit: { of: 'ratio', max: 1.66 },
  };
}

async function roundTrips(): Promise<Result[]> {
  const perRound = 1_000;
  const frame = clientFrame(JSON.stringify(['1', '7', topic, 'echo', { text: 'x'.repeat(100) }]));
  const times = await turnAbout(async (server) => {
    const [client] = await joinAll(server, 1);
    return async () => {
      const trips: number[] = [];
      for (let trip = 0; trip < perRound; trip++) {
        const began = performance.now();
        client?.write(frame);
        await new Promise((resolve) => client?.once('data', resolve));
        trips.push(performance.now() - began);
      }
      return trips.sort((a, b) => a - b);
    };
  }, 21);
  const at = (kind: Kind, part: number) =>
    median(times[kind].map((trips) => trips[Math.floor(trips.length * part)] ?? Number.NaN));
  return [0.5, 0.99].map((part) => ({
    name: `round trip of a command, p${part * 100}`,
    value: at('ours', part),
    unit: 'ms',
    peer: { name: 'a bare ws echo', value: at('bare', part) },
    limit: { of: 'ratio' as const, max: 2 },
  }));
}

async function memory(): Promise<Result> {
  const perSocket: Record<Kind, number[]> = { ours: [], bare: [] };
  for (let round = 0; round < 3; round++) {
    for (const kind of kinds) {
      const server = await startServer(kind);
      // What the first connections load does not count.
      const first = await joinAll(server, 50);
      const before = await server.rss();
      const rest = await joinAll(server, sockets);
      perSocket[kind].push((await server.rss()) - before);
      for (const client of [...first, ...rest]) client.destroy();
      await server.stop();
    }
  }
  const kilobytes = (kind: Kind) => median(perSocket[kind]) / sockets / 1024;
  return {
    name: `memory of an idle joined socket over a bare one (${kilobytes('ours').toFixed(1)} and ${kilobytes('bare').toFixed(1)} KB)`,
    value: kilobytes('ours') - kilobytes('bare'),
    unit: 'KB',
    limit: { of: 'value', max: 25 },
  };
}

function receivedBy(clients: Socket[], bytes: number): Promise<void> {
  let received = 0;
  return new Promise((resolve) => {
    for (const client of clients) {
      client.removeAllListeners('data');
      client.on('data', (chunk) => {
        received += chunk.length;
        if (received === bytes) resolve();
      });
    }
  });
}

/** A client that stops reading is nobody else's business: the same server with and without one. */
async function besideStalled(): Promise<Result> {
  const text = JSON.stringify([null, null, topic, broadcastEvent, broadcastPayload]);
  const readers = 200;
  const servers = await Promise.all([startServer('ours'), startServer('ours')]);
  const [withOne, without] = servers;
  const stalled = await joinAll(withOne, 1);
  for (const client of stalled) client.pause();
  const prepared = await Promise.all(servers.map((server) => joinAll(server, readers)));
  const times = servers.map((): number[] => []);
  for (let round = 0; round < 400; round++) {
    for (const [index, server] of [withOne, without].entries()) {
      const clients = prepared[index] ?? [];
      const expected = readers * frameBytes(text) * 20;
      const all = receivedBy(clients, expected);
      const began = performance.now();
      server.process.send({ broadcasts: 20 });
      await all;
      if (round >= 20) times[index]?.push(performance.now() - began);
    }
  }
  for (const client of [...stalled, ...prepared.flat()]) client.destroy();
  await Promise.all(servers.map((server) => server.stop()));
  return {
    name: '20 broadcasts to 200 sockets beside one that stopped reading, p95',
    value: p95(times[0] ?? []),
    unit: 'ms',
    peer: { name: 'without it', value: p95(times[1] ?? []) },
    limit: { of: 'ratio', max: 1.1 },
  };
}

interface Running {
  kind: Kind;
  port: number;
  process: ChildProcess;
  rss(): Promise<number>;
  stop(): Promise<void>;
}

async function startServer(kind: Kind): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'channels-server.ts'), [kind], { execArgv: ['--expose-gc'] });
  const [port] = (await once(child, 'message')) as [number];
  return {
    kind,
    port,
    process: child,
    async rss() {
      child.send('memory');
      const [bytes] = (await once(child, 'message')) as [number];
      return bytes;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Sockets that are connected and, at our server, joined. */
async function joinAll(server: Running, count: number): Promise<Socket[]> {
  const clients: Socket[] = [];
  while (clients.length < count) {
    const batch = Array.from({ length: Math.min(100, count - clients.length) }, async () => {
      const client = await openSocket(server.port);
      client.on('error', () => {});
      if (server.kind === 'ours') {
        client.write(clientFrame(JSON.stringify(['1', '1', topic, 'phx_join', {}])));
        await once(client, 'data');
      }
      return client;
    });
    clients.push(...(await Promise.all(batch)));
  }
  return clients;
}

/** Runs the same measurement at both, one round after another; the first two of each warm up and do not count. */
async function turnAbout<T>(prepare: (server: Running) => Promise<() => Promise<T>>, rounds: number) {
  const servers = await Promise.all(kinds.map(startServer));
  const results: Record<Kind, T[]> = { ours: [], bare: [] };
  try {
    const prepared: { kind: Kind; measure: () => Promise<T> }[] = [];
    for (const server of servers) prepared.push({ kind: server.kind, measure: await prepare(server) });
    for (let round = -2; round < rounds; round++) {
      for (const { kind, measure } of prepared) {
        const result = await measure();
        if (round >= 0) results[kind].push(result);
      }
    }
    return results;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
