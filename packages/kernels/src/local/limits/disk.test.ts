import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unnamedFiles } from './disk.ts';

/** A process that holds 2 MB open: with a name, without one, or without one in a place whose path is too long to read. */
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

test.runIf(existsSync('/proc/self/fd'))('counts open files without a name, wherever they are', async () => {
  const deep = 'name=$(printf %0200d 0); for each in $(seq 25); do mkdir $name; cd -P ./$name; done';
  const pids = [await holding('WRITE'), await holding('WRITE; rm held'), await holding(`${deep}; WRITE; rm held`)];
  const [named = 0, unnamed = 0, far = 0] = await Promise.all(
    pids.map((pid) => unnamedFiles([pid]).then(({ bytes }) => bytes)),
  );
  expect(named).toBe(0);
  expect(unnamed).toBeGreaterThanOrEqual(2_000_000);
  expect(far).toBeGreaterThanOrEqual(2_000_000);
});

test.runIf(existsSync('/proc/self/fd'))(
  'counts files that are only mapped, and descriptors that no process receives',
  async () => {
    const hide = `import mmap, os, socket, sys
held = os.open("held", os.O_CREAT | os.O_RDWR)
os.posix_fallocate(held, 0, 2_000_000)
if sys.argv[1] == "mapped": kept = mmap.mmap(held, 2_000_000)
else:
    kept = socket.socketpair()
    socket.send_fds(kept[0], [b"x"], [held])
os.unlink("held")
os.close(held)
print("there", flush=True)
sys.stdin.read()`;
    const hiding = async (how: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'atoll-disk-'));
      const child = spawn('python3', ['-c', hide, how], { cwd: folder });
      onTestFinished(async () => {
        child.stdin.end();
        await once(child, 'exit');
        rmSync(folder, { recursive: true, force: true });
      });
      await once(child.stdout, 'data');
      return unnamedFiles([child.pid ?? Number.NaN]);
    };
    expect((await hiding('mapped')).bytes).toBeGreaterThanOrEqual(2_000_000);
    expect(await hiding('sent')).toEqual({ bytes: 0, inFlight: 1 });
  },
);
