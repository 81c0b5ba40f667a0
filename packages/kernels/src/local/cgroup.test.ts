import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run, startOptions, testLimits } from '../conformance.ts';
import { installKernelPackages } from '../test-packages.ts';
import { findCgroup } from './cgroup.ts';
import { sampleProcesses, treeOf } from './processes.ts';
import { localKernels } from './provider.ts';

/** A folder that looks like cgroup v2: what is written and read is checked, what the system makes of it is not. */
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

describe('a cgroup of our own', () => {
  test('is the one above the group that holds our processes', async () => {
    const { mount, service } = await lookalike();
    const membership = '0::/system.slice/atoll.service/server\n';
    expect(await findCgroup({ mount, membership })).toEqual({ folder: service });
    expect(await readFile(join(service, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu +memory +pids');
    // Ready now, and left as it is.
    await writeFile(join(service, 'cgroup.subtree_control'), 'cpu memory pids\n');
    expect(await findCgroup({ mount, membership })).toEqual({ folder: service });
    expect(await findCgroup({ mount, configured: service })).toEqual({ folder: service });
  });

  test('is not one that has processes of others, or lacks a controller', async () => {
    const shared = await lookalike({ members: '7\n8\n' });
    const membership = '0::/system.slice/atoll.service\n';
    expect(await findCgroup({ mount: shared.mount, membership })).toEqual({
      reason: 'cgroup v2 that is not delegated',
    });
    const poor = await lookalike({ controllers: 'cpu pids' });
    expect(await findCgroup({ mount: poor.mount, membership })).toEqual({ reason: 'cgroup v2 without memory' });
  });

  test('is not there with cgroup v1 or without any', async () => {
    const mount = await mkdtemp(join(tmpdir(), 'cgroup-'));
    onTestFinished(() => rm(mount, { recursive: true }));
    expect(await findCgroup({ mount, membership: '4:memory:/x\n' })).toEqual({ reason: 'no cgroup v2' });
  });
});

await installKernelPackages();
const { isAvailable } = await localKernels().status();

describe.runIf(isAvailable)('a kernel in its cgroup', () => {
  test('is in it with its limits before it runs, and who has no memory left is told so', async () => {
    const { service } = await lookalike();
    const provider = localKernels({ cgroup: service });
    onTestFinished(() => provider.close());
    expect((await provider.status()).detail).toContain('limits by cgroup v2');
    const kernel = await provider.start({ ...(await startOptions('python3')), limits: { ...testLimits, cpu: 0.5 } });
    expect((await run(kernel, '1+1')).shown).toEqual(['2']);
    const [name] = (await readdir(service)).filter((entry) => entry.startsWith('kernel-'));
    const read = (file: string) => readFile(join(service, String(name), file), 'utf8');
    expect(await Promise.all(['memory.max', 'memory.swap.max', 'pids.max', 'cpu.max'].map(read))).toEqual([
      '512000000',
      '0',
      '64',
      '50000 100000',
    ]);
    const [sandbox] = treeOf(Number(await read('cgroup.procs')), sampleProcesses());
    expect(sandbox?.parent).toBe(process.pid);
    // As the system does it.
    await writeFile(join(service, String(name), 'memory.events'), 'low 0\noom 1\noom_kill 1\n');
    process.kill(sandbox?.pid ?? 0, 'SIGKILL');
    expect(await kernel.ended).toMatchObject({ reason: 'memory' });
  });

  test('is killed with all that is in it', async () => {
    const { service } = await lookalike();
    const provider = localKernels({ cgroup: service });
    const kernel = await provider.start(await startOptions('python3'));
    await kernel.stop();
    const [name] = (await readdir(service)).filter((entry) => entry.startsWith('kernel-'));
    expect(await readFile(join(service, String(name), 'cgroup.kill'), 'utf8')).toBe('1');
  });

  test('does not run when it cannot be put into it', async () => {
    const { service } = await lookalike();
    const provider = localKernels({ cgroup: service });
    await provider.status();
    await rm(service, { recursive: true });
    const before = treeOf(process.pid, sampleProcesses()).length;
    await expect(provider.start(await startOptions('python3'))).rejects.toThrow('did not start');
    expect(treeOf(process.pid, sampleProcesses()).length).toBe(before);
  });
});
