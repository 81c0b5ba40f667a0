import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testLimits } from '../../conformance.ts';
import { Order } from './order.ts';
import { Watchdog } from './watchdog.ts';

const group = { sharesProcessors: true, countsMemory: false, wasOutOfMemory: () => false, memoryBytes: () => 0 };

test.runIf(existsSync('/proc/stat'))('puts the group of a computation last, and back when it rests', async () => {
  // A machine that always has room, however busy the real one is.
  const machine = { idle: 0, all: 0 };
  const order = new Order(() => {
    machine.idle += 1;
    machine.all += 1;
    return { ...machine };
  });
  const child = spawn('sh', ['-c', 'while :; do :; done']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: boolean[] = [];
  const stop = new Watchdog({ order }).watch({
    pid: child.pid ?? Number.NaN,
    folders: [],
    volume: null,
    hasOwnNetwork: true,
    limits: testLimits,
    onExceeded: (reason) => said.push(reason === 'lost'),
    cgroup: { ...group, goLast: (isLast) => said.push(isLast) },
    throttle: null,
    lostAfterMs: 600_000,
    lastHeartbeat: () => null,
    isHeld: () => true,
  });
  onTestFinished(stop);
  await expect.poll(() => said).toEqual([true]);
  child.kill('SIGSTOP');
  await expect.poll(() => said).toEqual([true, false]);
});

test.each([
  ['memory', 'machineMemory'],
  ['disk', 'machineDisk'],
] as const)('ends the largest when the machine has too little %s left', async (what, reason) => {
  const said: string[] = [];
  const free = { memory: 1000, disk: 1000, [what]: 100 };
  const watchdog = new Watchdog({
    floor: { memoryBytes: 500, diskBytes: 500 },
    free: { memory: () => free.memory, disk: async () => free.disk },
  });
  for (const size of [1, 3, 2]) {
    const child = spawn('sleep', ['1000']);
    const folder = mkdtempSync(join(tmpdir(), 'atoll-watchdog-'));
    writeFileSync(join(folder, 'file'), 'x'.repeat(size * 100_000));
    onTestFinished(() => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    });
    const stop = watchdog.watch({
      pid: child.pid ?? Number.NaN,
      folders: [folder],
      volume: null,
      hasOwnNetwork: true,
      limits: testLimits,
      onExceeded: (excess) => {
        said.push(`${size} ${excess}`);
        // The memory or disk of the ended kernel becomes free.
        free[what] = 1000;
      },
      cgroup: { ...group, countsMemory: true, memoryBytes: () => size, goLast: () => {} },
      throttle: null,
      lostAfterMs: 600_000,
      lastHeartbeat: () => null,
      isHeld: () => true,
    });
    onTestFinished(stop);
  }
  await expect.poll(() => said).toEqual([`3 ${reason}`]);
});
