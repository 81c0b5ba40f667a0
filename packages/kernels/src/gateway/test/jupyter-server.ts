import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
// Debian's own server, whatever other Python comes first in the path.
const SERVER = '/usr/bin/jupyter-server';

export interface JupyterServer {
  url: string;
  token: string;
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Has the given kernels beside Debian's Python: each is ipykernel of some Python, whatever language it claims. */
export async function startJupyterServer(
  kernels: { name: string; language: string; python: string }[] = [],
): Promise<JupyterServer> {
  await access(SERVER).catch(install);
  const folder = await mkdtemp(join(tmpdir(), 'atoll-jupyter-'));
  for (const { name, language, python } of kernels) {
    const place = join(folder, '.local/share/jupyter/kernels', name);
    const argv = [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'];
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'kernel.json'), JSON.stringify({ argv, display_name: name, language }));
  }
  const port = await freePort();
  const token = 'a-token-for-tests';
  const child = spawn(
    SERVER,
    [
      '--no-browser',
      '--allow-root',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--ServerApp.port_retries=0',
      `--ServerApp.token=${token}`,
      `--ServerApp.root_dir=${folder}`,
    ],
    {
      cwd: folder,
      env: { HOME: folder, PATH: '/usr/bin:/bin', JUPYTER_RUNTIME_DIR: join(folder, 'runtime') },
      stdio: 'ignore',
    },
  );
  const url = `http://127.0.0.1:${port}/`;
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  await untilItAnswers(`${url}api/status?token=${token}`, child);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await exited;
  };
  return {
    url,
    token,
    kill: () => end('SIGKILL'),
    async close() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`jupyter-server ended with ${child.exitCode}`);
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function install(): Promise<void> {
  console.log("Installing Debian's jupyter-server and python3-ipykernel for the tests …");
  const environment = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 64 * 1024 * 1024 };
  await run('apt-get', ['update'], environment);
  await run(
    'apt-get',
    ['install', '-y', '--no-install-recommends', 'jupyter-server', 'python3-ipykernel'],
    environment,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
