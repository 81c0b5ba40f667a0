import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPython } from '@atoll/kernels/test-python';
import { PythonConnection } from './connection.ts';
import { launchPython } from './launch.ts';

/** A Python for tests, with the packages that people have; `close` ends it. */
export async function pythonForTests(memoryMb = 256): Promise<{ python: PythonConnection; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'strategy-python-'));
  const child = await launchPython(testPython || '/usr/bin/python3', { folder, memoryMb });
  const python = new PythonConnection(folder);
  return {
    python,
    async close() {
      python.close();
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
