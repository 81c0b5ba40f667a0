import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { freePort } from '../apps/server/src/test/machine.ts';
import { startServer } from '../e2e/server.ts';
import type { Session } from '../packages/contract/src/index.ts';

const run = promisify(execFile);

/** One of two notebooks side by side: how it is opened, and where on its page things are. */
export interface Peer {
  name: string;
  /** Puts the file there and answers its address. */
  add(name: string, content: string): Promise<string>;
  prepare(page: Page): Promise<void>;
  /** Of the first cell: what to press to write in it, and its text. */
  source: string;
  editor: string;
  /** The number of the first cell's run, and what it shows. */
  count: string;
  outputs: string;
  /** Presses what stops it. */
  stop(page: Page): Promise<void>;
  /** Whether nothing runs, asked in the page. */
  isIdle: string;
  close(): Promise<void>;
}

/** A Python with packages from PyPI, made once for this machine; `command` is there when it is complete. */
export async function peerPython(name: string, command: string, packages: string[]): Promise<string> {
  const folder = join(tmpdir(), `atoll-bench-${name}`);
  const python = join(folder, 'bin/python');
  if (!existsSync(join(folder, 'bin', command))) {
    await run('/usr/bin/python3', ['-m', 'venv', folder]);
    await run(python, ['-m', 'pip', 'install', '-q', '--only-binary=:all:', ...packages], { maxBuffer: 1e8 });
  }
  return python;
}

export async function jupyterLab(): Promise<Peer> {
  const python = await peerPython('jupyterlab', 'jupyter-lab', ['jupyterlab', 'ipykernel']);
  const folder = mkdtempSync(join(tmpdir(), 'atoll-lab-'));
  const port = await freePort();
  const parameters = [
    '-m',
    'jupyterlab',
    '--allow-root',
    '--no-browser',
    '--ip=127.0.0.1',
    `--port=${port}`,
    `--ServerApp.root_dir=${folder}`,
    '--IdentityProvider.token=',
    '--ServerApp.password=',
    '--LabApp.news_url=',
    '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
  ];
  const child: ChildProcess = spawn(python, parameters, {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: folder, JUPYTER_CONFIG_DIR: join(folder, '.config') },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilThere(`${url}/api`);
  const first = '.jp-Notebook .jp-Cell:first-child';
  return {
    name: 'JupyterLab',
    async add(name, content) {
      writeFileSync(join(folder, name), content);
      return `${url}/lab/tree/${name}?reset`;
    },
    async prepare() {},
    source: `${first} .cm-content`,
    editor: `${first} .cm-content`,
    count: `${first} .jp-InputPrompt`,
    outputs: `${first} .jp-OutputArea`,
    stop: (page) =>
      page.locator('[data-command="notebook:interrupt-kernel"], jp-button[title^="Interrupt"]').first().click(),
    isIdle: `!document.querySelector('${first} .jp-InputPrompt')?.textContent?.includes('*')`,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 5_000).unref();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilThere(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answers at ${url}`);
}

export interface Ours extends Peer {
  url: string;
  call<Body>(method: string, path: string, body?: object): Promise<Body>;
  addTo(name: string, content: string): Promise<{ projectId: string; fileId: string }>;
}

/** On the embedded database, unless the environment names another. */
export async function atoll(environment: Record<string, string> = {}): Promise<Ours> {
  const account = { email: 'ada@example.org', password: 'correct horse battery' };
  const server = await startServer({
    ATOLL_PYTHON: await peerPython('jupyterlab', 'jupyter-lab', ['jupyterlab', 'ipykernel']),
    ATOLL_KERNEL_SPARE: 'on',
    // An admin has room for any number of projects.
    ATOLL_ADMIN_EMAIL: account.email,
    ATOLL_ADMIN_PASSWORD: account.password,
    ...environment,
  });
  const post = (path: string, body: object, token = '') =>
    fetch(`${server.url}/api/atoll${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const session = (await (await post('/v1/sign_in', account)).json()) as Session;
  const token = session.token ?? '';
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await fetch(`${server.url}/api/atoll${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const addTo = async (name: string, content: string) => {
    const slot = await call<{ upload_id: string; url: string }>('POST', '/v1/upload', { client_name: name });
    await fetch(new URL(new URL(slot.url, server.url).pathname, server.url), {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: content,
    });
    const made = { name, upload_id: slot.upload_id };
    const project = await call<{ id: string; default_file_id: string }>('POST', '/v1/notebooks', made);
    return { projectId: project.id, fileId: project.default_file_id };
  };
  const first = '[data-cell="c0"]';
  return {
    name: 'ours',
    url: server.url,
    call,
    addTo,
    add: async (name, content) => `${server.url}/projects/${(await addTo(name, content)).projectId}`,
    async prepare(page) {
      // Before its first page, which would make itself a guest meanwhile.
      await page.context().request.post(`${server.url}/api/atoll/v1/sign_in`, { data: account });
      await page.goto(server.url);
    },
    source: `${first} :is(pre, .cm-content)`,
    editor: `${first} .cm-content`,
    count: `${first} [title="Execution count"]`,
    outputs: first,
    stop: (page) => page.getByRole('button', { name: 'Interrupt', exact: true }).click(),
    isIdle: `!document.querySelector('${first} [data-state="running"]')`,
    close: () => server.stop(),
  };
}
