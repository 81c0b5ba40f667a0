import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { connectHost, type HostConnection } from './client.ts';
import type { HostProcessOptions } from './options.ts';
import type { HostAddress } from './protocol.ts';

const startMs = 20_000;
const mainFile = join(import.meta.dirname, 'main.ts');

/** Connects to the running host, if there is one, with its kernels. */
export async function findHost(folder: string): Promise<HostConnection | null> {
  const text = await readFile(join(folder, 'host.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  return connectHost(JSON.parse(text) as HostAddress).catch(() => null);
}

/** Whether its process has ended: then a search is useless. */
export async function isHostGone(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'host.json'), 'utf8').catch(() => null);
  if (text === null) return true;
  try {
    return !process.kill((JSON.parse(text) as HostAddress).pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Starts a new host in a process that outlives this one. */
export async function startHost(options: HostProcessOptions): Promise<HostConnection> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const log = await open(join(options.folder, 'host.log'), 'a', 0o600);
  const child = spawn(process.execPath, [mainFile], {
    detached: true,
    cwd: '/',
    // It gets no variables of the server: no database, no keys.
    env: allowedEnvironment(),
    stdio: ['pipe', log.fd, log.fd, 'pipe'],
  });
  try {
    child.stdin?.end(JSON.stringify(options));
    await new Promise<void>((resolve, reject) => {
      const ready = child.stdio[3];
      const timer = setTimeout(() => reject(new Error('The kernel host did not start in time')), startMs);
      const failed = () => reject(new Error('The kernel host did not start; its log says why'));
      child.once('error', reject);
      child.once('exit', failed);
      ready?.once('data', () => {
        clearTimeout(timer);
        child.off('exit', failed);
        resolve();
      });
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    await log.close();
    child.stdio[3]?.destroy();
    child.unref();
  }
  const host = await findHost(options.folder);
  if (!host) throw new Error('The kernel host does not answer');
  return host;
}

const passedOn = /^(PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|PIP_\w+|SSL_CERT_\w+|https?_proxy|no_proxy|JUPYTER_PATH)$/i;

function allowedEnvironment(): NodeJS.ProcessEnv {
  const allowed = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)));
  // The compile cache saves two thirds of its start.
  const compiled = getCompileCacheDir();
  return compiled ? { ...allowed, NODE_COMPILE_CACHE: compiled } : allowed;
}
