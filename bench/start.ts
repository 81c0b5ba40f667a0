import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median, type Result } from './report.ts';

const root = join(import.meta.dirname, '..');

/** `npm start` on a machine that has only had `npm ci`, and then again. */
export async function start(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  try {
    rmSync(join(root, 'apps/web/dist'), { recursive: true, force: true });
    const first = await secondsToReady(folder);
    const again: number[] = [];
    for (let round = 0; round < 5; round++) again.push(await secondsToReady(folder));
    return [
      { name: 'first start, web app built, database made', value: first, unit: 's', limit: { of: 'value', max: 60 } },
      { name: 'restart to ready', value: median(again), unit: 's', limit: { of: 'value', max: 3 } },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function secondsToReady(folder: string): Promise<number> {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    env: { ...process.env, ATOLL_DATA: folder, PORT: '0', ATOLL_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('Ready at') && resolve());
    child.once('exit', () => reject(new Error('The server did not start')));
  });
  const seconds = (performance.now() - began) / 1000;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // npm does not pass signals on to what it started, so the whole group gets it.
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  return seconds;
}
