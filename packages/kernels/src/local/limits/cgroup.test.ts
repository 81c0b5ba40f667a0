import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run, startOptions, testLimits } from '../../conformance.ts';
import { installKernelPackages } from '../../test-packages.ts';
import { localKernels } from '../provider.ts';
import { findCgroup, makeCgroup, makeProcessorGroup, removeLeftGroups } from './cgroup.ts';
import { sampleProcesses, treeOf } from './processes.ts';

/** A folder that looks like cgroup v2: it checks reads and writes, not their effect in the system. */
async function lookalike({ controllers = 'cpuset cpu io memory pids', members = '' } = {}) {
  const mount = await mkdtemp(join(tmpdir(), 'cgroup-'));
  onTestFinished(() => rm(mount, { recursive: true, force: true }));
  const group = async (path: string, processes: string) => {
    const folder = join(mount, path);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'cgroup.controllers'), `${controllers}\n`);
    await writeFile(join(folder, 'cgroup.subtree_control'), '\n');
    await writeFile(join(folder, 'cgroup.procs'), processes);
    return folder;
  };
  await group('', '1\n');
  const service = await group('system.slice/atoll.service', members);
  await group('system.slice/atoll.service/server', '7\n');
  return { mount, service };
}

const here = await findCgroup({});
const processors = 'processors' in here ? here.processors : undefined;

describe('a cgroup of our own', () => {
  test('is the one above the group of our processes', async () => {
    const { mount, service } = await lookalike();
    const membership = '0::/system.slice/atoll.service/server\n';
    expect(await findCgroup({ mount, membership })).toEqual({ folder: service });
    expect(await readFile(join(service, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu +memory +pids');
    // It is ready now, and stays unchanged.
    await writeFile(join(service, 'cgroup.subtree_control'), 'cpu memory pids\n');
    expect(await findCgroup({ mount, membership })).toEqual({ folder: service });
    expect(await findCgroup({ mount, configured: service })).toEqual({ folder: service });
  });

  test('is not one with foreign processes, or without a controller', async () => {
    const shared = await lookalike({ members: '7\n8\n' });
    const membership = '0::/system.slice/atoll.service\n';
    expect(await findCgroup({ mount: shared.mount, membership })).toEqual({
      reason: 'cgroup v2 that is not delegated',
    });
    const poor = await lookalike({ controllers: 'cpu pids' });
    expect(await findCgroup({ mount: poor.mount, membership })).toEqual({ reason: 'cgroup v2 without memory' });
  });

  test('is missing with cgroup v1 or without any; from v1 it uses processors and memory', async () => {
    const mount = await mkdtemp(join(tmpdir(), 'cgroup-'));
    onTestFinished(() => rm(mount, { recursive: true }));
    expect(await findCgroup({ mount, membership: '4:memory:/x\n' })).toEqual({ reason: 'no cgroup v2' });
    const membership = '4:memory:/x\n3:cpuset:/\n2:cpu,cpuacct:/user\n';
    expect(await findCgroup({ mount, membership })).toEqual({ reason: 'no cgroup v2' });
    const [processors, memory] = [join(mount, 'cpu/user'), join(mount, 'memory/x')];
    for (const folder of [processors, memory]) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'cgroup.procs'), '');
    }
    expect(await findCgroup({ mount, membership })).toEqual({ reason: 'no cgroup v2', processors, memory });
  });

  test('removes groups of a killed host later: only empty ones, and none made a moment ago', async () => {
    const { service } = await lookalike();
    const names = ['kernel-old', 'kernel-full', 'kernel-new', 'other'];
    for (const name of names) await mkdir(join(service, name));
    await writeFile(join(service, 'kernel-full/cgroup.procs'), '7\n');
    for (const name of ['kernel-old', 'kernel-full', 'other']) await utimes(join(service, name), 0, 0);
    await removeLeftGroups(service);
    await removeLeftGroups(join(service, 'nowhere'));
    const left = await readdir(service);
    expect(names.map((name) => left.includes(name))).toEqual([false, true, true, true]);
  });

  test('leaves no group behind when its limits are refused', async () => {
    const { service } = await lookalike();
    const refusing = new Proxy(testLimits, {
      get() {
        throw new Error('refused');
      },
    });
    const groups = async () => (await readdir(service)).filter((name) => name.startsWith('kernel-'));
    expect(() => makeCgroup(service, refusing)).toThrow('refused');
    expect(await groups()).toEqual([]);
  });

  test('with cgroup v1 sets priorities and limits', async () => {
    const { service } = await lookalike();
    const group = makeProcessorGroup(service, { ...testLimits, cpu: 1.5 });
    const [name] = (await readdir(service)).filter((entry) => entry.startsWith('kernel-'));
    const read = (file: string) => readFile(join(service, String(name), file), 'utf8');
    expect([await read('cpu.cfs_quota_us'), await read('cpu.cfs_period_us')]).toEqual(['150000', '100000']);
    expect(await read('cpu.shares')).toBe('335');
    group.goLast(true);
    expect([await read('cpu.idle'), await read('cpu.shares')]).toEqual(['1', '335']);
    // The system writes this value.
    await writeFile(join(service, String(name), 'cpu.shares'), '1024');
    group.goLast(false);
    expect([await read('cpu.idle'), await read('cpu.shares')]).toEqual(['0', '335']);
    // As on a Linux that cannot put it last: use the smallest share.
    await rm(join(service, String(name), 'cpu.idle'));
    await mkdir(join(service, String(name), 'cpu.idle'));
    group.goLast(true);
    expect(await read('cpu.shares')).toBe('15');
    group.goLast(false);
    expect(await read('cpu.shares')).toBe('335');
  });

  test.runIf(processors)('works with real groups here, and removes an empty one', async () => {
    const group = makeProcessorGroup(processors ?? '', testLimits);
    const child = spawn('sleep', ['1000']);
    onTestFinished(() => void child.kill('SIGKILL'));
    group.add(child.pid ?? Number.NaN);
    const membership = await readFile(`/proc/${child.pid}/cgroup`, 'utf8');
    const path = /^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(.*)$/m.exec(membership)?.[1] ?? '';
    expect(path).toContain('kernel-');
    const read = (file: string) => readFile(join(processors ?? '', basename(path), file), 'utf8');
    expect(Number(await read('cpu.shares'))).toBe(335);
    group.goLast(true);
    group.goLast(false);
    expect(Number(await read('cpu.shares'))).toBe(335);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await group.remove();
    await expect(read('cpu.shares')).rejects.toThrow('ENOENT');
  });
});

await installKernelPackages();
const { isAvailable } = await localKernels().status();

describe.runIf(isAvailable)('a kernel in its cgroup', () => {
  test('limits a kernel before it runs, and reports when it has run out of memory', async () => {
    const { service } = await lookalike();
    const provider = localKernels({ cgroup: service });
    onTestFinished(() => provider.close());
    expect((await provider.status()).detail).toContain('limits by cgroup v2');
    const kernel = await provider.start({ ...(await startOptions('python3')), limits: { ...testLimits, cpu: 0.5 } });
    expect((await run(kernel, '1+1')).shown).toEqual(['2']);
    const [name] = (await readdir(service)).filter((entry) => entry.startsWith('kernel-'));
    const read = (file: string) => readFile(join(service, String(name), file), 'utf8');
    const files = ['memory.max', 'memory.swap.max', 'pids.max', 'cpu.max', 'cpu.weight.nice'];
    expect(await Promise.all(files.map(read))).toEqual([
      String(testLimits.memoryBytes),
      '0',
      '64',
      '50000 100000',
      '5',
    ]);
    const [sandbox] = treeOf(Number(await read('cgroup.procs')), sampleProcesses());
    expect(sandbox?.parent).toBe(process.pid);
    // The system writes these values.
    await writeFile(join(service, String(name), 'memory.events'), 'low 0\noom 1\noom_kill 1\n');
    process.kill(sandbox?.pid ?? 0, 'SIGKILL');
    expect(await kernel.ended).toMatchObject({ reason: 'memory' });
  });

  test('kills everything inside', async () => {
    const { service } = await lookalike();
    const provider = localKernels({ cgroup: service });
    const kernel = await provider.start(await startOptions('python3'));
    await kernel.stop();
    const [name] = (await readdir(service)).filter((entry) => entry.startsWith('kernel-'));
    expect(await readFile(join(service, String(name), 'cgroup.kill'), 'utf8')).toBe('1');
  });

  test('does not run the kernel when it cannot be moved into its group', async () => {
    const { service } = await lookalike();
    const provider = localKernels({ cgroup: service });
    await provider.status();
    await rm(service, { recursive: true });
    const before = treeOf(process.pid, sampleProcesses()).length;
    await expect(provider.start(await startOptions('python3'))).rejects.toThrow('did not start');
    expect(treeOf(process.pid, sampleProcesses()).length).toBe(before);
  });
});
