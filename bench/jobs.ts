import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'pg';
import { startPostgres } from '../apps/server/src/test/servers/postgres-server.ts';
import { median, p95, type Result } from './report.ts';

const rounds = 3;
const jobsPerRound = 500;
const requestsPerRound = 300;
/** Between two requests: as dozens of people would ask, and not so many that they are what is measured. */
const pauseMs = 5;

interface Server {
  child: ChildProcess;
  url: string;
  token: string;
}

interface Figures {
  alone: number[];
  beside: number[];
  job: number[];
  wait: number[];
}

/**
 * Jobs that do nothing, from the transaction that enqueues them to their end, and GET /v1/me beside them. `BENCH_QUEUE` names
 * a module like `jobs-queue.ts` with another queue, which takes turns with ours.
 */
export async function jobs(): Promise<Result[]> {
  const postgres = await startPostgres();
  try {
    const results = [];
    for (const kind of ['embedded', 'postgres'] as const) results.push(...(await onDatabase(kind, postgres.urlOf)));
    return results;
  } finally {
    await postgres.stop();
  }
}

async function onDatabase(kind: 'embedded' | 'postgres', urlOf: (name: string) => string): Promise<Result[]> {
  const modules = [join(import.meta.dirname, 'jobs-queue.ts'), process.env.BENCH_QUEUE ?? ''].filter(Boolean);
  const folders = modules.map(() => mkdtempSync(join(tmpdir(), 'atoll-bench-')));
  const servers: Server[] = [];
  try {
    for (const [index, module] of modules.entries()) {
      const name = `jobs_${index}`;
      const pool = new Pool({ connectionString: urlOf('postgres') });
      if (kind === 'postgres') await pool.query(`create database ${name}`);
      await pool.end();
      servers.push(await start(folders[index] ?? '', module, kind === 'postgres' ? urlOf(name) : null));
    }
    const all = servers.map((): Figures => ({ alone: [], beside: [], job: [], wait: [] }));
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round++) {
      for (const [index, server] of servers.entries()) {
        const measured = await oneRound(server);
        if (round > 0)
          for (const key of ['alone', 'beside', 'job', 'wait'] as const) all[index]?.[key].push(measured[key]);
      }
    }
    const [ours, other] = all;
    return ours ? resultsOf(kind, ours, other) : [];
  } finally {
    for (const { child } of servers) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function resultsOf(kind: string, ours: Figures, other: Figures | undefined): Result[] {
  const besideJobs = (name: string, { alone, beside }: Figures): Result => ({
    name: `${kind}: GET /v1/me beside as many jobs as ${name} can do, p95`,
    value: median(beside),
    unit: 'ms',
    peer: { name: 'without jobs', value: median(alone) },
    limit: { of: 'ratio', max: 12 },
  });
  const line = (name: string, key: 'job' | 'wait', max: number): Result => ({
    name: `${kind}: ${name}`,
    value: median(ours[key]),
    unit: 'ms',
    ...(other ? { peer: { name: 'the other queue', value: median(other[key]) } } : {}),
    limit: { of: 'value', max },
  });
  return [
    line('a job that does nothing, of many enqueued by eight at once', 'job', 30),
    line('a job on an idle server, from enqueued to done', 'wait', 60),
    besideJobs('our queue', ours),
    ...(other ? [besideJobs('the other queue', other)] : []),
  ];
}

async function start(folder: string, module: string, databaseUrl: string | null): Promise<Server> {
  const { DATABASE_URL: _, ...env } = process.env;
  const child = fork(join(import.meta.dirname, 'jobs-server.ts'), [folder, module], {
    env: { ...env, ATOLL_KERNEL_SPARE: 'off', ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) },
  });
  const { url, token } = await answerOf<{ url: string; token: string }>(child);
  return { child, url, token };
}

async function oneRound(server: Server): Promise<Record<keyof Figures, number>> {
  const alone = await requests(server, (count) => count < requestsPerRound);
  const waits: number[] = [];
  for (let count = 0; count < 10; count++) {
    // A queue that polls has gone back to its slow pace.
    await setTimeout(100);
    waits.push(await doJobs(server, 1));
  }
  let isDone = false;
  const done = doJobs(server, jobsPerRound).finally(() => {
    isDone = true;
  });
  const beside = await requests(server, () => !isDone);
  return { alone: p95(alone), beside: p95(beside), job: (await done) / jobsPerRound, wait: median(waits) };
}

async function doJobs({ child }: Server, count: number): Promise<number> {
  child.send(count);
  return answerOf<number>(child);
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const isAnswered = new AbortController();
  const died = once(child, 'exit', isAnswered).then(() => {
    throw new Error('The server that is measured has ended');
  });
  try {
    const [answer] = (await Promise.race([once(child, 'message'), died])) as [Answer];
    return answer;
  } finally {
    isAnswered.abort();
  }
}

async function requests({ url, token }: Server, goesOn: (count: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; goesOn(count); count++) {
    const began = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`Status ${answer.status}`);
    times.push(performance.now() - began);
    await setTimeout(pauseMs);
  }
  return times;
}
