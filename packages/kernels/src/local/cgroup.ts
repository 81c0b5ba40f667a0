import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { access, constants, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { KernelLimits } from '../port.ts';

const controllers = ['cpu', 'memory', 'pids'];
const periodMicroseconds = 100_000;
const removalAttempts = 20;

/** One kernel's control group: limits that the system's kernel holds by itself, all at once and without delay. */
export interface Cgroup {
  /** Before the process has made any other. */
  add(pid: number): void;
  kill(): void;
  /** Whether something in it was killed because it had no memory left. */
  wasOutOfMemory(): boolean;
  /** When it is empty. */
  remove(): Promise<void>;
}

/** A part of cgroup v2 that was given to us to divide, or why there is none. */
export type CgroupPlace = { folder: string } | { reason: string };

export interface CgroupOptions {
  /** Which folder to divide; else the one this process is in, or the one above, is looked at. */
  configured?: string | undefined;
  mount?: string;
  /** As /proc/self/cgroup tells. */
  membership?: string;
}

export async function findCgroup({
  configured,
  mount = '/sys/fs/cgroup',
  membership,
}: CgroupOptions): Promise<CgroupPlace> {
  const text = membership ?? (await readFile('/proc/self/cgroup', 'utf8').catch(() => ''));
  const own = /^0::(\/.*)$/m.exec(text)?.[1];
  if (!configured && !(await isThere(join(mount, 'cgroup.controllers')))) return { reason: 'no cgroup v2' };
  const candidates = configured ? [configured] : own ? [join(mount, own), join(mount, dirname(own))] : [];
  const refusals: string[] = [];
  for (const folder of new Set(candidates)) {
    const refusal = await refusalOf(folder);
    if (refusal === null) return { folder };
    refusals.push(refusal);
  }
  return { reason: refusals[0] ?? 'no cgroup v2 of our own' };
}

async function refusalOf(folder: string): Promise<string | null> {
  try {
    const has = wordsOf(await readFile(join(folder, 'cgroup.controllers'), 'utf8'));
    const lacks = controllers.filter((name) => !has.has(name));
    if (lacks.length > 0) return `cgroup v2 without ${lacks.join(', ')}`;
    await access(folder, constants.W_OK);
    // A group that has groups with limits can have no processes itself. We do not move those of others out of it.
    if ((await readFile(join(folder, 'cgroup.procs'), 'utf8')).trim() !== '') return 'cgroup v2 that is not delegated';
    const control = join(folder, 'cgroup.subtree_control');
    const given = wordsOf(await readFile(control, 'utf8'));
    if (controllers.every((name) => given.has(name))) return null;
    await writeFile(control, controllers.map((name) => `+${name}`).join(' '));
    return null;
  } catch {
    return 'cgroup v2 that is not delegated';
  }
}

export function makeCgroup(parent: string, limits: KernelLimits): Cgroup {
  const folder = join(parent, `kernel-${randomUUID()}`);
  mkdirSync(folder);
  const write = (name: string, value: string | number) => writeFileSync(join(folder, name), String(value));
  write('memory.max', limits.memoryBytes);
  writeIfThere(() => write('memory.swap.max', 0));
  // Half of a kernel is of no use: all of it goes.
  write('memory.oom.group', 1);
  write('pids.max', limits.processes);
  write('cpu.max', `${Math.max(1000, Math.round(limits.cpu * periodMicroseconds))} ${periodMicroseconds}`);
  return {
    add: (pid) => write('cgroup.procs', pid),
    kill: () => writeIfThere(() => write('cgroup.kill', 1)),
    wasOutOfMemory() {
      try {
        const events = readFileSync(join(folder, 'memory.events'), 'utf8');
        return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0) > 0;
      } catch {
        return false;
      }
    },
    async remove() {
      for (let attempt = 0; attempt < removalAttempts; attempt++) {
        // Busy until the last of its processes is reaped.
        const error = await rmdir(folder).then(
          () => null,
          (failure: NodeJS.ErrnoException) => failure,
        );
        if (error?.code !== 'EBUSY') return;
        await setTimeout(50);
      }
    },
  };
}

/** A machine without swap has no such file, and cgroup.kill came with Linux 5.14. */
function writeIfThere(write: () => void): void {
  try {
    write();
  } catch {
    // What it would add is done by other means, or is not needed.
  }
}

const wordsOf = (text: string) => new Set(text.split(/\s+/).map((word) => word.replace(/^\+/, '')));

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
