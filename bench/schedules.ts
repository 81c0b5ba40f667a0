import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'pg';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { freePort } from '../apps/server/src/test/machine.ts';
import { startPostgres } from '../apps/server/src/test/servers/postgres-server.ts';
import { untilReady } from '../e2e/server.ts';
import type { Result } from './report.ts';
import { signedIn } from './set-up.ts';

const people = 40;
const projectsEach = 5;
const leadMs = 45_000;
const longestMs = 240_000;

/** 200 notebooks of 40 people due at the same moment, on two servers with one database. */
export async function schedules(): Promise<Result[]> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const servers: ChildProcess[] = [];
  const pool = new Pool({ connectionString: postgres.urlOf('bench') });
  try {
    const admin = new Pool({ connectionString: postgres.urlOf('postgres') });
    await admin.query('create database bench');
    await admin.end();
    const tokens = await signedUp(postgres.urlOf('bench'), folder);
    const urls: string[] = [];
    for (const name of ['one', 'two']) {
      const port = await freePort();
      const server = spawn(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts')], {
        env: {
          ...process.env,
          PORT: String(port),
          DATABASE_URL: postgres.urlOf('bench'),
          ATOLL_DATA: join(folder, name),
          ATOLL_LOG_LEVEL: 'error',
          ATOLL_SECRET_KEYS: '0'.repeat(64),
          ATOLL_KERNEL_FOLDER: mkdtempSync(join(tmpdir(), 'b-')),
          ATOLL_KERNEL_SPARE: 'off',
          // Their hosts would go on with what has begun.
          ATOLL_KERNEL_GRACE: '1',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      servers.push(server);
      await untilReady(server);
      urls.push(`http://localhost:${port}/api/atoll/v1`);
    }
    const due = new Date(Date.now() + leadMs);
    await Promise.all(tokens.map((token, index) => schedule(urls[index % urls.length] ?? '', token, due)));
    const isLate = Date.now() > due.getTime();
    if (isLate) throw new Error('It took too long to schedule everything');
    const [started, last] = await untilStarted(pool, due);
    const { rows } = await pool.query(
      'select count(distinct schedule_id) as fired, count(*) as firings from schedule_firings',
    );
    if (Number(rows[0].fired) !== started || Number(rows[0].firings) !== started)
      throw new Error(`${started} runs for ${rows[0].firings} firings of ${rows[0].fired} schedules`);
    return [
      {
        name: `${started} schedules due at once on two servers: until the last of their runs has started`,
        value: last,
        unit: 's',
        limit: { of: 'value', max: 60 },
      },
    ];
  } finally {
    for (const server of servers) {
      server.kill('SIGINT');
      await once(server, 'exit');
    }
    await pool.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function signedUp(url: string, folder: string): Promise<string[]> {
  const { db, close } = await openDatabase({ url, dataFolder: folder });
  const tokens = (await signedIn(db, people)).map(({ token }) => token);
  await close();
  return tokens;
}

async function schedule(url: string, token: string, due: Date): Promise<void> {
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<{ id: string; default_file_id: string }>;
  };
  for (let count = 0; count < projectsEach; count++) {
    const { id, default_file_id } = await call('POST', '/notebooks', { name: `P${count}`, create_main_file: true });
    const settings = { type: 'one_off', starts_at: due.toISOString() };
    await call('PATCH', `/notebooks/${id}/files/${default_file_id}/schedule`, { schedule: settings });
  }
}

async function untilStarted(pool: Pool, due: Date): Promise<[count: number, seconds: number]> {
  const wanted = people * projectsEach;
  while (Date.now() < due.getTime() + longestMs) {
    const { rows } = await pool.query('select count(*) as count, max(started_at) as last from runs');
    if (Number(rows[0].count) >= wanted)
      return [Number(rows[0].count), (new Date(rows[0].last).getTime() - due.getTime()) / 1000];
    await setTimeout(500);
  }
  throw new Error('Not all of them were started');
}
