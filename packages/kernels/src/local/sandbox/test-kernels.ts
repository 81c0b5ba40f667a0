import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { run, startOptions } from '../../conformance.ts';
import { findVolumes } from '../../host/volumes.ts';
import type { Kernel, StartOptions } from '../../port.ts';
import { askPython } from '../../python/find.ts';
import { installKernelPackages } from '../../test-packages.ts';
import { testPython } from '../../test-python.ts';
import { sampleProcesses, treeOf } from '../limits/processes.ts';
import { localKernels } from '../provider.ts';

export const runFolder = await mkdtemp(join(tmpdir(), 'run-'));
// As root, sandboxes run as another user, who has to reach the folder.
await chmod(runFolder, 0o711);
export const volumes = await findVolumes(runFolder);
// The Python that people get, which also starts in half the time of Debian's.
export const python = await askPython(testPython);
export const provider = localKernels({ runFolder, python: () => python });

await installKernelPackages();
// Without a sandbox no kernel starts: the suite of the provider checks that.
export const { isAvailable } = await provider.status();

export async function start(changes: Partial<StartOptions> = {}): Promise<{ kernel: Kernel; folder: string }> {
  const options = { ...(await startOptions('python3')), ...changes };
  const kernel = await provider.start(options);
  onTestFinished(() => kernel.stop());
  return { kernel, folder: options.folder };
}

/** The output of code that explores the outside. */
export async function answer(kernel: Kernel, code: string): Promise<string> {
  const { out, result } = await run(kernel, code);
  expect(result.error?.traceback ?? []).toEqual([]);
  return out.trim();
}

export const ownChildren = () => treeOf(process.pid, sampleProcesses()).length;

export function useKernels(): void {
  afterAll(async () => {
    await provider.close();
    // After every attack, no kernel files are left.
    expect(await readdir(runFolder)).toEqual([]);
    await rm(runFolder, { recursive: true });
  });
}
