import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unnamedBytes } from './disk.ts';

/** A process that holds 2 MB open: with a name, without one, or without one in a place whose path is too long to be told. */
async function holding(where: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-disk-'));
  const write = 'exec 3>held; head -c 2000000 /dev/zero >&3';
  const child = spawn('sh', ['-c', `${where.replace('WRITE', write)}; echo there; read line`], { cwd: folder });
  onTestFinished(async () => {
    child.stdin.end();
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  await once(child.stdout, 'data');
  return child.pid ?? Number.NaN;
}

test.runIf(existsSync('/proc/self/fd'))('open files without a name are counted, wherever they are', async () => {
  const deep = 'name=$(printf %0200d 0); for each in $(seq 25); do mkdir $name; cd -P ./$name; done';
  const pids = [await holding('WRITE'), await holding('WRITE; rm held'), await holding(`${deep}; WRITE; rm held`)];
  const [named = 0, unnamed = 0, far = 0] = await Promise.all(pids.map((pid) => unnamedBytes([pid])));
  expect(named).toBe(0);
  expect(unnamed).toBeGreaterThanOrEqual(2_000_000);
  expect(far).toBeGreaterThanOrEqual(2_000_000);
});
