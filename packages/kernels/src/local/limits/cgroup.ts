import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { access, constants, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { KernelLimits } from '../../port.ts';
import { niceness } from './giving-way.ts';

const controllers = ['cpu', 'memory', 'pids'];
const periodMicroseconds = 100_000;
const removalAttempts = 100;
const prefix = 'kernel-';

/** One kernel's control group: limits that Linux enforces by itself, for all processes and without delay. */
export interface Cgroup {
  /** Call it before the process creates any other. */
  add(pid: number): void;
  /** Leaves it only the time that all others do not use; or, as at the beginning, a third of their share under load. */
  goLast(isLast: boolean): void;
  kill(): void;
  /** Whether Linux killed a process in it for lack of memory. */
  wasOutOfMemory(): boolean;
  /** Whether it sets priorities for processors. */
  sharesProcessors: boolean;
  /** Whether it counts all memory, also outside of processes; `memoryBytes` leaves out files that Linux may drop. */
  countsMemory: boolean;
  memoryBytes(): number;
  /** Removes the group when it is empty. */
  remove(): Promise<void>;
}

/** cgroup v1 has a tree for each kind of limit, and we may have some of them. */
export interface OlderPlaces {
  processors?: string | undefined;
  memory?: string | undefined;
}

/** A delegated part of cgroup v2; or the reason why there is none, and the v1 places that can be used. */
export type CgroupPlace = { folder: string } | ({ reason: string } & OlderPlaces);

export interface CgroupOptions {
  /** The folder to divide; otherwise this process's folder, or the one above, is tried. */
  configured?: string | undefined;
  mount?: string;
  /** In the format of /proc/self/cgroup. */
  membership?: string;
}

export async function findCgroup({
  configured,
  mount = '/sys/fs/cgroup',
  membership,
}: CgroupOptions): Promise<CgroupPlace> {
  const text = membership ?? (await readFile('/proc/self/cgroup', 'utf8').catch(() => ''));
  const own = /^0::(\/.*)$/m.exec(text)?.[1];
  if (!configured && !(await isThere(join(mount, 'cgroup.controllers')))) {
    return { reason: 'no cgroup v2', ...(await olderPlaces(mount, text)) };
  }
  const candidates = configured ? [configured] : own ? [join(mount, own), join(mount, dirname(own))] : [];
  const refusals: string[] = [];
  for (const folder of new Set(candidates)) {
    const refusal = await refusalOf(folder);
    if (refusal === null) return { folder };
    refusals.push(refusal);
  }
  return { reason: refusals[0] ?? 'no cgroup v2 of our own' };
}

async function olderPlaces(mount: string, membership: string): Promise<OlderPlaces> {
  const place = async (tree: 'cpu' | 'memory', make: (folder: string) => Cgroup) => {
    const own = new RegExp(`^\\d+:(?:[^:]*,)?${tree}(?:,[^:]*)?:(/.*)$`, 'm').exec(membership)?.[1];
    if (own === undefined) return;
    const folder = join(mount, tree, own);
    return (await canMoveInto(folder, make)) ? folder : undefined;
  };
  return {
    processors: await place('cpu', (folder) => makeProcessorGroup(folder, { cpu: 1 })),
    memory: await place('memory', (folder) => makeMemoryGroup(folder, { memoryBytes: 1024 ** 3 })),
  };
}

/** Tries it with a process that does nothing: where it is not allowed, kernels run without a group. */
async function canMoveInto(folder: string, make: (folder: string) => Cgroup): Promise<boolean> {
  if (!(await isThere(join(folder, 'cgroup.procs')))) return false;
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  let group: Cgroup | null = null;
  try {
    // Without a pid, the write would move this process itself.
    if (child.pid === undefined) return false;
    group = make(folder);
    group.add(child.pid);
    return true;
  } catch {
    return false;
  } finally {
    child.kill('SIGKILL');
    await ended;
    await group?.remove();
  }
}

async function refusalOf(folder: string): Promise<string | null> {
  try {
    const has = wordsOf(await readFile(join(folder, 'cgroup.controllers'), 'utf8'));
    const lacks = controllers.filter((name) => !has.has(name));
    if (lacks.length > 0) return `cgroup v2 without ${lacks.join(', ')}`;
    await access(folder, constants.W_OK);
    // A group whose groups have limits cannot contain processes itself. We do not move foreign processes out of it.
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
  const { folder, write, ...group } = makeGroup(parent, (set) => {
    set('memory.max', limits.memoryBytes);
    writeIfThere(() => set('memory.swap.max', 0));
    // Half of a kernel has no use, so Linux kills all of it.
    set('memory.oom.group', 1);
    set('pids.max', limits.processes);
    set('cpu.max', `${quotaOf(limits)} ${periodMicroseconds}`);
  });
  const goLast = lastOrNot(write, { file: 'cpu.weight.nice', usual: niceness, last: 19 });
  return {
    ...group,
    goLast,
    kill: () => void writeIfThere(() => write('cgroup.kill', 1)),
    sharesProcessors: true,
    countsMemory: true,
    wasOutOfMemory: () => counterIn(folder, 'memory.events', 'oom_kill') > 0,
    memoryBytes: () => counterIn(folder, 'memory.current') - counterIn(folder, 'memory.stat', 'file'),
  };
}

/** A group of cgroup v1 with the places that we have; other means enforce the other limits. */
export function makeOlderGroup(places: OlderPlaces, limits: KernelLimits): Cgroup | null {
  const processors = places.processors === undefined ? null : makeProcessorGroup(places.processors, limits);
  try {
    const memory = places.memory === undefined ? null : makeMemoryGroup(places.memory, limits);
    if (!processors || !memory) return processors ?? memory;
    return {
      ...memory,
      sharesProcessors: true,
      goLast: processors.goLast,
      add: (pid) => [memory, processors].forEach((group) => void group.add(pid)),
      remove: async () => void (await Promise.all([memory.remove(), processors.remove()])),
    };
  } catch (error) {
    void processors?.remove();
    throw error;
  }
}

/** A group of cgroup v1 for memory alone; it also counts sockets and other memory of Linux. */
export function makeMemoryGroup(parent: string, { memoryBytes }: Pick<KernelLimits, 'memoryBytes'>): Cgroup {
  const { write, folder, ...group } = makeGroup(parent, (set) => {
    set('memory.limit_in_bytes', memoryBytes);
    writeIfThere(() => set('memory.memsw.limit_in_bytes', memoryBytes));
    writeIfThere(() => set('memory.kmem.tcp.limit_in_bytes', Math.round(memoryBytes / 4)));
  });
  return {
    ...group,
    goLast: () => {},
    kill: () => {},
    sharesProcessors: false,
    countsMemory: true,
    wasOutOfMemory: () => counterIn(folder, 'memory.oom_control', 'oom_kill') > 0,
    memoryBytes: () => counterIn(folder, 'memory.usage_in_bytes') - counterIn(folder, 'memory.stat', 'total_cache'),
  };
}

/** The only number in a file, or the one after a name; 0 where it cannot be read. */
function counterIn(folder: string, file: string, name?: string): number {
  try {
    const text = readFileSync(join(folder, file), 'latin1');
    return Number((name === undefined ? text : new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]) ?? 0);
  } catch {
    return 0;
  }
}

/** A group of cgroup v1 for processors alone; other means enforce the other limits. */
export function makeProcessorGroup(parent: string, limits: Pick<KernelLimits, 'cpu'>): Cgroup {
  const {
    write,
    folder: _,
    ...group
  } = makeGroup(parent, (set) => {
    // Linux refuses it when a parent group has a lower limit, which then applies, or when it lacks the feature.
    writeIfThere(() => set('cpu.cfs_period_us', periodMicroseconds));
    writeIfThere(() => set('cpu.cfs_quota_us', quotaOf(limits)));
  });
  const goLast = lastOrNot(write, { file: 'cpu.shares', usual: 335, last: 15 });
  return {
    ...group,
    goLast,
    kill: () => {},
    sharesProcessors: true,
    countsMemory: false,
    wasOutOfMemory: () => false,
    memoryBytes: () => 0,
  };
}

const quotaOf = ({ cpu }: Pick<KernelLimits, 'cpu'>) => Math.max(1000, Math.round(cpu * periodMicroseconds));

type Setting = (name: string, value: string | number) => void;

/** Creates the group with its limits, or not at all. */
function makeGroup(parent: string, limit: (set: Setting) => void) {
  const folder = join(parent, `${prefix}${randomUUID()}`);
  mkdirSync(folder);
  const write: Setting = (name, value) => writeFileSync(join(folder, name), String(value));
  try {
    limit(write);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return {
    folder,
    write,
    add: (pid: number) => write('cgroup.procs', pid),
    async remove() {
      for (let attempt = 0; attempt < removalAttempts; attempt++) {
        // It stays busy until its last process is reaped.
        const error = await rmdir(folder).then(
          () => null,
          (failure: NodeJS.ErrnoException) => failure,
        );
        if (error?.code !== 'EBUSY') return;
        await setTimeout(attempt < 20 ? 50 : 500);
      }
    },
  };
}

/** A Linux that cannot put it last gives it the smallest share. The old share must be written again afterwards. */
function lastOrNot(write: Setting, share: { file: string; usual: number; last: number }): Cgroup['goLast'] {
  writeIfThere(() => write(share.file, share.usual));
  return (isLast) => {
    const isDone = writeIfThere(() => write('cpu.idle', isLast ? 1 : 0));
    if (!isLast || !isDone) writeIfThere(() => write(share.file, isLast ? share.last : share.usual));
  };
}

const youngMs = 60_000;

/** Removes groups of killed hosts: empty ones that were not made a moment ago. A group with a process stays. */
export async function removeLeftGroups(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    if (!name.startsWith(prefix)) continue;
    const made = await stat(folder).catch(() => null);
    if (made && Date.now() - made.mtimeMs > youngMs) await rmdir(folder).catch(() => {});
  }
}

/** Ignores missing files: a machine without swap lacks some; cgroup.kill came with Linux 5.14, cpu.idle with 5.15. */
function writeIfThere(write: () => void): boolean {
  try {
    write();
    return true;
  } catch {
    // Other means do the same, or it is not needed.
    return false;
  }
}

const wordsOf = (text: string) => new Set(text.split(/\s+/).map((word) => word.replace(/^\+/, '')));

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
