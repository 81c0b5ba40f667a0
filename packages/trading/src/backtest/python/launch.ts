import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What runs there; whoever confines the process has to let it read this folder. */
export const pythonRuntime = import.meta.dirname;

const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  // The order of a set must not change from run to run, nor the sums of a library with the number of its threads.
  ...{ PYTHONHASHSEED: '0', OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1' },
};

/**
 * Starts a Python that strategies run in; `PythonConnection` is opened on the same folder. `prefix` is what confines it, and
 * has to let it write to the folder.
 */
export async function launchPython(
  executable: string,
  { folder, memoryMb, prefix = [] }: { folder: string; memoryMb: number; prefix?: string[] },
): Promise<ChildProcess> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await promisify(execFile)('mkfifo', ['-m', '600', join(folder, 'to'), join(folder, 'from')]);
  const [program = executable, ...rest] = [...prefix, executable];
  const parameters = [...rest, '-s', '-B', join(pythonRuntime, 'main.py'), folder, String(memoryMb)];
  const child = spawn(program, parameters, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said = `${said}${text}`.slice(-2_000);
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`Python did not start: ${reason}`));
    child.stdout.once('data', () => resolve());
    child.once('error', (error) => fail(error.message));
    child.once('close', () => fail(said.trim() || 'it said nothing'));
  });
  return child;
}
