import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { projects } from '../apps/server/src/features/projects/table.ts';
import { sessions } from '../apps/server/src/features/sessions/table.ts';
import { users } from '../apps/server/src/features/users/table.ts';
import { newId } from '../apps/server/src/platform/db/columns.ts';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { hashSecret, newSecret } from '../apps/server/src/platform/secrets.ts';
import { freePort } from '../apps/server/src/test/machine.ts';
import { startPostgres } from '../apps/server/src/test/postgres-server.ts';
import { installKernelPackages } from '../packages/kernels/src/test-packages.ts';
import { worker } from './kernels.ts';
import { startByJupyter } from './kernels-jupyter.ts';
import { median, type Result } from './report.ts';

interface Ran {
  times: number[];
  lines: number;
  more: number;
}

/** The whole way: from the server's call over the host to the kernel, and back until it is stored in PostgreSQL. */
export async function runs(): Promise<Result[]> {
  await installKernelPackages();
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const runFolder = mkdtempSync(join(tmpdir(), 'b-'));
  chmodSync(runFolder, 0o711);
  try {
    const url = postgres.urlOf('bench');
    const admin = await openDatabase({ url: postgres.urlOf('postgres'), dataFolder: folder });
    await admin.db.execute('create database bench');
    await admin.close();
    const [userId, projectId] = [newId(), newId()];
    const { db, close } = await openDatabase({ url, dataFolder: folder });
    const now = new Date();
    await db.insert(users).values({ id: userId, userName: 'bench', role: 'admin', createdAt: now, activeAt: now });
    const fields = { name: 'Bench', createdAt: now, updatedAt: now, ownedAt: now };
    await db.insert(projects).values({ ...fields, id: projectId, ownerId: userId });
    const token = newSecret();
    await db.insert(sessions).values({
      tokenHash: hashSecret(token),
      userId,
      method: 'password',
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
      userAgent: '',
      ip: '',
    });
    await close();
    const port = await freePort();
    const child = fork(join(import.meta.dirname, 'runs-server.ts'), [], {
      execArgv: ['--expose-gc'],
      env: {
        ...process.env,
        ATOLL_DATA: join(folder, 'data'),
        DATABASE_URL: url,
        ATOLL_LOG_LEVEL: 'error',
        ATOLL_SECRET_KEYS: '0'.repeat(64),
        ATOLL_KERNEL_FOLDER: runFolder,
        PORT: String(port),
      },
    });
    await once(child, 'message');
    const tell = async <Value>(does: string, more: object = {}): Promise<Value> => {
      child.send({ does, userId, projectId, ...more });
      const [{ value }] = (await once(child, 'message')) as [{ value: Value }];
      return value;
    };
    await tell('open');
    const results = [...(await sums(tell, runFolder)), ...(await lines(tell)), await warm(tell)];
    results.push(...(await neighbours(tell, port, token)));
    await tell('close');
    return results;
  } finally {
    await postgres.stop();
    for (const each of [folder, runFolder]) rmSync(each, { recursive: true, force: true });
  }
}

type Tell = <Value>(does: string, more?: object) => Promise<Value>;

async function sums(tell: Tell, runFolder: string): Promise<Result[]> {
  const bare = await worker('bare', addressIn(runFolder));
  const jupyter = await startByJupyter();
  const times = { ours: [] as number[], bare: [] as number[], jupyter: [] as number[] };
  for (let round = 0; round < 20; round++) {
    times.ours.push(...(await tell<Ran>('run', { code: '1+1', times: 20 })).times);
    times.bare.push(...(await bare.run('1+1', 20)).times);
    for (let count = 0; count < 20; count++) {
      const began = performance.now();
      await jupyter.execute('1+1');
      times.jupyter.push(performance.now() - began);
    }
  }
  await bare.close();
  await jupyter.close();
  const base = { name: "1+1 from the server's call to its result stored", value: median(times.ours), unit: 'ms' };
  return [
    { ...base, peer: { name: 'a bare ZeroMQ client', value: median(times.bare) }, limit: { of: 'ratio', max: 1.5 } },
    {
      ...base,
      peer: { name: "a Jupyter Server's websocket", value: median(times.jupyter) },
      limit: { of: 'ratio', max: 0.5 },
    },
  ];
}

/** The kernel in use is the one that was started first; a spare came after it. */
function addressIn(runFolder: string) {
  const found = readdirSync(runFolder)
    .filter((name) => name.startsWith('kernel-'))
    .map((name) => join(runFolder, name, 'connection'));
  const [connection = ''] = found;
  const { key } = JSON.parse(readFileSync(join(connection, 'connection.json'), 'utf8')) as { key: string };
  return { key, prefix: join(connection, 's') };
}

async function lines(tell: Tell): Promise<Result[]> {
  const count = 100_000;
  const code = `for i in range(${count}): print(i)`;
  const ours: Ran[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 5; round++) {
    ours.push(await tell<Ran>('run', { code, times: 1 }));
    const client = await worker('bare');
    bare.push((await client.run(code, 1)).times[0] ?? Number.NaN);
    await client.close();
  }
  const name = `${count.toLocaleString('en')} lines printed one by one, stored`;
  return [
    {
      name,
      value: median(ours.map(({ times }) => times[0] ?? Number.NaN)),
      unit: 'ms',
      peer: { name: 'a bare ZeroMQ client that throws them away', value: median(bare) },
      limit: { of: 'ratio', max: 1.2 },
    },
    {
      name: `${name}: more memory in the server`,
      value: median(ours.map(({ more }) => more)) / 1e6,
      unit: 'MB',
      limit: { of: 'value', max: 50 },
    },
    {
      name: `${name}: lost`,
      value: Math.max(...ours.map((ran) => count - ran.lines)),
      unit: 'lines',
      limit: { of: 'value', max: 0 },
    },
  ];
}

async function warm(tell: Tell): Promise<Result> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    // Time for the next spare.
    await setTimeout(3_000);
    times.push(await tell<number>('first'));
  }
  return {
    name: 'first cell on a warm spare, stored',
    value: median(times),
    unit: 'ms',
    limit: { of: 'value', max: 150 },
  };
}

const attacks: Record<string, string> = {
  'an endless loop': 'while True: pass',
  'a fork bomb': 'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass',
  '10 GB of memory': 'x = []\nwhile True: x.append(bytearray(50_000_000))',
  'a 10 GB file': 'f = open("big", "wb")\nwhile True: f.write(b"x" * 10_000_000)',
  'endless output': 'while True: print("x" * 100)',
};

/** What others notice of one who does harm: their requests, before and meanwhile, in turn. */
async function neighbours(tell: Tell, port: number, token: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, code] of Object.entries(attacks)) {
    const calm: number[] = [];
    const attacked: number[] = [];
    for (let round = 0; round < 3; round++) {
      await tell('hostile');
      // Time for the next spare.
      await setTimeout(3_000);
      calm.push(...(await requests(port, token)));
      await tell('attack', { code });
      attacked.push(...(await requests(port, token)));
      await tell('calm');
    }
    results.push({
      name: `others' requests beside ${name}, p95`,
      value: p95(attacked),
      unit: 'ms',
      peer: { name: 'without', value: p95(calm) },
      limit: { of: 'ratio', max: 1.2 },
    });
  }
  return results;
}

/** Somebody who asks for something ten times a second. */
async function requests(port: number, token: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < 40; count++) {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/atoll/v1/notebooks`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.arrayBuffer();
    times.push(performance.now() - began);
    await setTimeout(100);
  }
  return times;
}

const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
