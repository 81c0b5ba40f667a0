import { spawn } from 'node:child_process';

export type ProcessUser = { uid: number; gid: number } | null;

interface RunOptions {
  user?: ProcessUser;
  environment?: Record<string, string>;
  timeout?: number;
  signal?: AbortSignal | undefined;
}

const keptCharacters = 64 * 1024;
const path = '/usr/local/bin:/usr/bin:/bin';

/** Never rejects: a missing program ends with a code like one that fails. */
export function runQuietly(
  program: string,
  parameters: string[],
  { user = null, environment = {}, timeout = 0, signal }: RunOptions = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, parameters, {
      cwd: '/',
      env: { PATH: path, LANG: 'C.UTF-8', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
      ...(signal ? { signal } : {}),
      ...user,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-keptCharacters);
      });
    }
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
