import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { testLimits } from '../conformance.ts';
import { Order } from './order.ts';
import { Watchdog } from './watchdog.ts';

test.runIf(existsSync('/proc/stat'))('puts the group of who computes last, and back when it rests', async () => {
  // A machine on which there is always room, however busy this one is.
  const machine = { idle: 0, all: 0 };
  const order = new Order(() => {
    machine.idle += 1;
    machine.all += 1;
    return { ...machine };
  });
  const child = spawn('sh', ['-c', 'while :; do :; done']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: boolean[] = [];
  const stop = new Watchdog(order).watch({
    pid: child.pid ?? Number.NaN,
    folders: [],
    limits: testLimits,
    onExceeded: (reason) => said.push(reason === 'lost'),
    cgroup: { goLast: (isLast) => said.push(isLast) },
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
