import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { testLimits } from '../conformance.ts';
import { kernelUser } from '../kernel-user.ts';
import { localKernels } from '../local/provider.ts';
import { installKernelPackages } from '../test-packages.ts';
import { createHost } from './host.ts';
import type { HostEvent } from './types.ts';
import { findVolumes } from './volumes.ts';

const runFolder = await mkdtemp(join(tmpdir(), 'volumes-'));
await chmod(runFolder, 0o711);
const volumes = await findVolumes(runFolder);
afterAll(async () => {
  expect(await mounts()).toEqual([]);
  await rm(runFolder, { recursive: true });
});

const mounts = async () =>
  (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').filter((line) => line.includes(runFolder));

describe.runIf(volumes)('volumes', () => {
  test('removes the volumes of a killed host, and keeps those of others', async () => {
    const [dead, alive] = [join(runFolder, 'atoll-dead'), join(runFolder, 'atoll-alive')];
    for (const folder of [dead, alive]) {
      await mkdir(folder);
      await volumes?.make(join(folder, 'a'), 2 * 1024 ** 2);
    }
    await writeFile(join(dead, 'owner'), String(spawnSync('true').pid));
    await writeFile(join(alive, 'owner'), String(process.pid));
    expect(await mounts()).toHaveLength(2);
    await findVolumes(runFolder);
    expect(await mounts()).toHaveLength(1);
    expect(await readdir(runFolder)).toEqual(['atoll-alive']);
    await volumes?.remove(join(alive, 'a'));
    await rm(alive, { recursive: true });
  });

  test('hold the files of local kernels, and are removed with them', async () => {
    await installKernelPackages();
    const local = localKernels({ runFolder });
    if (!(await local.status()).isAvailable) return;
    const host = await createHost({ providers: [local], runFolder, volumes, user: kernelUser() });
    const heard: HostEvent[] = [];
    host.onEvents((events) => heard.push(...events));
    const { folder } = await host.open({
      id: 'a',
      kind: 'local.python3',
      environment: {},
      limits: { ...testLimits, fileBytes: 1024 ** 3, folderBytes: 64 * 1024 ** 2 },
      hasNetwork: false,
    });
    await writeFile(join(folder ?? '', 'given'), 'by the server');
    await host.handOver('a');
    const code = `print(open("given").read())
try: open("large", "wb").write(b"x" * 100_000_000)
except OSError as error: print(error.strerror)
open("given", "a").write(", and back")`;
    await host.execute('a', { id: '1', code, limitMs: null });
    const is = (type: HostEvent['type']) => () => heard.some((event) => event.type === type);
    await expect.poll(is('finished')).toBe(true);
    const said = heard.map((event) => (event.type === 'message' ? (event.message.content.text ?? '') : '')).join('');
    expect(said).toBe('by the server\nNo space left on device\n');
    expect(await mounts()).toHaveLength(1);
    await host.stop('a');
    await expect.poll(is('ended')).toBe(true);
    host.stored('a', heard.at(-1)?.sequence ?? 0);
    await expect.poll(mounts).toEqual([]);
    await host.close();
  });
});
