import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { createApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { kernelSessionsOf } from '../apps/server/src/features/kernels/service/kernel-sessions.ts';
import type { LiveSession } from '../apps/server/src/features/kernels/service/live-session.ts';
import { executions } from '../apps/server/src/features/kernels/table.ts';
import { executionsOf } from '../apps/server/src/features/runs/service/read.ts';
import { newId } from '../apps/server/src/platform/db/columns.ts';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { sampleProcesses } from '../packages/kernels/src/local/limits/processes.ts';
import type { Ending, Told } from './runs-harm.ts';

/** A whole server in a process of its own, told by messages what to run; answers how long it took until it was stored. */
const config = readConfig(process.env);
const database = await openDatabase({ url: config.databaseUrl, dataFolder: config.dataFolder });
const app = await createApp({ config, database, log: createLog(config.log), webFolder: null });
await app.start();
const ctx = app.system();
const kernelSessions = kernelSessionsOf(ctx);
const sessions: LiveSession[] = [];
let hostile: LiveSession | null = null;
await app.http.listen({ port: config.port, host: '127.0.0.1' });

interface Command {
  does: 'open' | 'run' | 'first' | 'hostile' | 'attack' | 'calm' | 'end' | 'close';
  userId: string;
  projectId: string;
  code: string;
  times: number;
  ending: Ending;
}

const open = ({ userId, projectId }: Command) =>
  kernelSessions.open({
    userId,
    projectId,
    fileId: null,
    kernel: 'local.python3',
    tier: 'l1',
    purpose: 'notebook',
    savesFiles: true,
    leaseId: null,
  });

async function run(live: LiveSession, code: string, batchId = newId()): Promise<number> {
  const began = performance.now();
  const { state, reason } = await live.execute({
    id: newId(),
    code,
    batchId,
    cell: null,
    topic: null,
    longestMs: null,
  });
  const took = performance.now() - began;
  if (state !== 'ok') throw new Error(reason ?? state);
  return took;
}

/** Runs what comes to a bad end; answers the reason and how long after it was stored, with what is told of it. */
async function end(live: LiveSession, { code, kills, from, ...ending }: Ending): Promise<Told> {
  const longestMs = ending.longestMs ?? null;
  await run(live, '1');
  const id = newId();
  let since = Date.now() + (longestMs ?? 0);
  void live.execute({ id, code, batchId: newId(), cell: null, topic: null, longestMs }).catch(() => {});
  for (let isKilled = !kills; ; await setTimeout(5)) {
    const [row] = await database.db.select().from(executions).where(eq(executions.id, id));
    if (row && !isKilled && kills) {
      since = Date.now();
      isKilled = true;
      const { pid } = JSON.parse(readFileSync(join(config.dataFolder, 'kernels/host.json'), 'utf8')) as { pid: number };
      const sandboxes = sampleProcesses().filter(({ parent }) => parent === pid);
      for (const each of kills === 'host' ? [{ pid }] : sandboxes) process.kill(each.pid, 'SIGKILL');
    }
    if (!row?.endedAt) continue;
    const after = Date.now() - (from === 'end' ? row.endedAt.getTime() : since);
    await live.stop({ reason: 'finished', message: '' });
    await live.ended;
    return { reason: row.reason, after };
  }
}

async function answer(command: Command): Promise<unknown> {
  if (command.does === 'open') {
    await ctx.kernels.host();
    const live = await open(command);
    sessions.push(live);
    await run(live, '1');
    return null;
  }
  if (command.does === 'first') {
    const began = performance.now();
    const live = await open(command);
    await run(live, '1+1');
    const took = performance.now() - began;
    await live.stop({ reason: 'stopped', message: '' });
    return took;
  }
  if (command.does === 'hostile') {
    const live = await open(command);
    await run(live, '1');
    hostile = live;
    return null;
  }
  if (command.does === 'attack') {
    const { code } = command;
    void hostile
      ?.execute({ id: newId(), code, batchId: newId(), cell: null, topic: null, longestMs: null })
      .catch(() => {});
    return null;
  }
  if (command.does === 'calm') {
    await hostile?.stop({ reason: 'stopped', message: '' });
    await hostile?.ended;
    return hostile?.row.endReason;
  }
  if (command.does === 'end') return end(await open(command), command.ending);
  if (command.does === 'run') {
    const live = sessions[0];
    if (!live) throw new Error('Nothing is open');
    global.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const times: number[] = [];
    const batchId = newId();
    for (let count = 0; count < command.times; count++) times.push(await run(live, command.code, batchId));
    clearInterval(watch);
    const stored = await executionsOf(database.db, batchId);
    const lines = stored
      .flatMap(({ outputs }) => outputs)
      .reduce((sum, output) => sum + (output.output_type === 'stream' ? output.text.split('\n').length - 1 : 0), 0);
    return { times, lines, more: peak - before };
  }
  await app.stop();
  return null;
}

process.on('message', async (command: Command) => {
  process.send?.({ value: await answer(command) });
  if (command.does === 'close') process.exit(0);
});
process.send?.({ value: 'ready' });
