import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Notebook, type Quota, type Run, type RunDetail, topicName, topics } from '@atoll/contract';
import { testPython } from '@atoll/kernels/test-python';
import { Socket } from 'phoenix';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { stopEverything } from '../../stop.ts';
import { isAlive, kernelHostOf, notebookProject, ServerClient, signUp } from '../../test/server-client.ts';
import { compiledOnce, prepareDatabase } from '../../test/server-process.ts';

/** The server as a process, with the kernels of this machine, killed in the middle of what it does. */

class Server extends ServerClient {
  readonly child: ChildProcess;

  constructor(child: ChildProcess, url: string) {
    super(url);
    this.child = child;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'atoll-runs-'));

async function start(): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts')], {
    env: {
      PATH: process.env.PATH,
      ATOLL_DATA: folder,
      PORT: '0',
      ATOLL_LOG_LEVEL: 'warn',
      ATOLL_KERNEL_SPARE: 'off',
      ATOLL_PYTHON: testPython,
      ...compiledOnce,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^Ready at (http\S+)/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  return new Server(child, url);
}

const hasEnded = ({ child }: Server) => child.exitCode !== null || child.signalCode !== null;

/** A start takes longer than most of what is tried here: the server that one test has started again is the next one's. */
let running: Server | null = null;
async function current(): Promise<Server> {
  if (!running || hasEnded(running)) running = await start();
  return running;
}

async function kill(server: Server): Promise<void> {
  server.child.kill('SIGKILL');
  await once(server.child, 'exit');
}

beforeAll(() => prepareDatabase(folder));
afterAll(async () => {
  if (running && !hasEnded(running)) {
    running.child.kill('SIGINT');
    await once(running.child, 'exit');
  }
  // A host that a killed server has left.
  const pid = kernelHostOf(folder);
  if (pid && isAlive(pid)) process.kill(pid, 'SIGTERM');
  // Polls of expect are for tests alone.
  if (pid) await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000 });
  rmSync(folder, { recursive: true, force: true });
});

const detail = (server: Server, project: string, run: string) =>
  server.call<RunDetail>('GET', `/v1/notebooks/${project}/runs/${run}`);

const textOf = (run: RunDetail, cell: number) =>
  (run.executions[cell]?.outputs ?? []).map((output) => (output.output_type === 'stream' ? output.text : '')).join('');

/** Every process below another one. */
function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return parent === pid ? [Number(name)] : [];
      } catch {
        return [];
      }
    });
  return children.flatMap((child) => [child, ...descendants(child)]);
}
const isCounting = (run: RunDetail) => run.status === 'running' && textOf(run, 0).includes('1');

const countingTo = (count: number) => `import time
for i in range(${count}):
    print(i, flush=True)
    time.sleep(0.1)
`;
const countedTo = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join('');
const [counting, counted] = [countingTo(40), countedTo(40)];

describe('a server that is killed', () => {
  test('with five runs going finds them again: every output once, and the time right', async () => {
    const first = await current();
    const token = await signUp(first);
    const project = await notebookProject(first, [counting, 'print("after")']);
    const begin = () => first.call<Run>('POST', `/v1/notebooks/${project}/runs`, {});
    const ids = (await Promise.all(Array.from({ length: 5 }, begin))).map(({ id }) => id);
    const begun = async () =>
      (await Promise.all(ids.map((id) => detail(first, project, id)))).filter(isCounting).length;
    await expect.poll(begun, { interval: 300 }).toBeGreaterThan(2);
    await kill(first);
    const second = await current();
    second.token = token;
    for (const id of ids) {
      await expect.poll(async () => (await detail(second, project, id)).status, { interval: 500 }).not.toBe('running');
    }
    const runs = await Promise.all(ids.map((id) => detail(second, project, id)));
    // Also those whose kernels were just being started: they are begun again.
    expect(runs.map(({ status, error_reason }) => [status, error_reason])).toEqual(ids.map(() => ['succeeded', null]));
    for (const run of runs) {
      expect(textOf(run, 0)).toBe(counted);
      expect(textOf(run, 1)).toBe('after\n');
    }
    const spent = runs.flatMap((run) => run.executions).reduce((sum, { milliseconds }) => sum + (milliseconds ?? 0), 0);
    await expect.poll(async () => (await second.call<Quota>('GET', '/v1/me/quota')).execution_reserved).toBe(0);
    const { execution_used } = await second.call<Quota>('GET', '/v1/me/quota');
    expect(Math.abs(execution_used - spent / 1_000)).toBeLessThan(1);
  });

  test('with the host of its kernels, before anything of a run was executed: it is begun again', async () => {
    const first = await current();
    const token = await signUp(first);
    const project = await notebookProject(first, ['print("once")']);
    const begin = () => first.call<Run>('POST', `/v1/notebooks/${project}/runs`, {});
    const whole = await begin();
    await expect.poll(async () => (await detail(first, project, whole.id)).status).toBe('succeeded');
    const ids = (await Promise.all([begin(), begin()])).map(({ id }) => id);
    const host = kernelHostOf(folder) ?? 0;
    // Before their kernels are ready, which takes longer than asking.
    const kernels = async () => (await first.call<{ entries: unknown[] }>('GET', '/v1/my_servers')).entries.length;
    await expect.poll(kernels, { interval: 20 }).toBeGreaterThan(0);
    process.kill(host, 'SIGKILL');
    await kill(first);
    const second = await current();
    second.token = token;
    for (const id of ids) {
      await expect.poll(async () => (await detail(second, project, id)).status).not.toBe('running');
      const run = await detail(second, project, id);
      // On a machine that is very quick, one may have come to its first cell.
      const wasCutOff = run.executions.some(({ reason }) => reason);
      if (!wasCutOff) expect([run.status, run.error_reason, textOf(run, 0)]).toEqual(['succeeded', null, 'once\n']);
    }
    await expect.poll(async () => (await second.call<Quota>('GET', '/v1/me/quota')).execution_reserved).toBe(0);
  });

  test('and the kernel host too: each run is told why, and no process is left', async () => {
    const server = await current();
    await signUp(server);
    const project = await notebookProject(server, [counting]);
    const run = await server.call<Run>('POST', `/v1/notebooks/${project}/runs`, {});
    await expect.poll(async () => textOf(await detail(server, project, run.id), 0)).toContain('5');
    const host = kernelHostOf(folder) ?? 0;
    const all = [host, ...descendants(host)];
    expect(all.length).toBeGreaterThan(1);
    process.kill(host, 'SIGKILL');
    await expect.poll(async () => (await detail(server, project, run.id)).status).toBe('failed');
    expect((await detail(server, project, run.id)).error_reason).toContain('The process that runs kernels has ended');
    await expect.poll(() => all.filter(isAlive)).toEqual([]);
    const again = await server.call<Run>('POST', `/v1/notebooks/${project}/runs`, {});
    await expect.poll(async () => (await detail(server, project, again.id)).status).toBe('succeeded');
  });

  test('a kernel that is killed from outside is told as such, and only its own run ends', async () => {
    const server = await current();
    await signUp(server);
    const begin = async (code: string) => {
      const project = await notebookProject(server, [code]);
      const run = await server.call<Run>('POST', `/v1/notebooks/${project}/runs`, {});
      const now = () => detail(server, project, run.id);
      await expect.poll(async () => textOf(await now(), 0)).toContain('5');
      return now;
    };
    // However long the second needs to begin, the first is still there.
    const first = await begin('print(5, flush=True)\nwhile True: pass');
    const [kernel] = descendants(kernelHostOf(folder) ?? 0);
    const second = await begin(counting);
    process.kill(kernel ?? 0, 'SIGKILL');
    const ended = async (now: typeof first) => {
      await expect.poll(async () => (await now()).status).not.toBe('running');
      return now();
    };
    expect(await ended(first)).toMatchObject({ status: 'failed', error_reason: 'The kernel crashed (SIGKILL).' });
    const other = await ended(second);
    expect(other.status).toBe('succeeded');
    expect(textOf(other, 0)).toBe(counted);
  });

  test('stopping everything leaves nothing behind, and says so', async () => {
    const first = await current();
    const token = await signUp(first);
    const project = await notebookProject(first, ['while True: pass']);
    const run = await first.call<Run>('POST', `/v1/notebooks/${project}/runs`, {});
    await expect.poll(async () => (await detail(first, project, run.id)).executions.length).toBe(1);
    const host = kernelHostOf(folder) ?? 0;
    const all = [host, ...descendants(host)];
    const ended = once(first.child, 'exit');
    const said: string[] = [];
    await stopEverything({ ATOLL_DATA: folder }, (line) => said.push(line));
    expect(await ended).toEqual([0, null]);
    await expect.poll(() => all.filter(isAlive)).toEqual([]);
    await stopEverything({ ATOLL_DATA: folder }, (line) => said.push(line));
    expect(said).toEqual([
      `Stopping the server (process ${first.child.pid}) and everything that runs in its kernels …`,
      'Stopped.',
      `No server runs on ${folder}.`,
    ]);
    const second = await current();
    second.token = token;
    expect(await detail(second, project, run.id)).toMatchObject({
      status: 'aborted',
      error_reason: 'The server was stopped during the run. Run it again.',
    });
  });
});

/** One command to a notebook, over a connection of its own. */
async function tell(server: Server, address: { projectId: string; fileId: string }, event: string, input: object = {}) {
  const { token } = await server.call<{ token: string }>('POST', '/v1/me/socket_token', {});
  const url = `${server.url.replace('http', 'ws')}/api/atoll/socket`;
  const socket = new Socket(url, { transport: WebSocket, authToken: token });
  socket.connect();
  const channel = socket.channel(topicName(topics.notebook, address));
  const answered = (push: ReturnType<typeof channel.join>) =>
    new Promise<unknown>((resolve, reject) =>
      push.receive('ok', resolve).receive('error', (error) => reject(new Error(JSON.stringify(error)))),
    );
  await answered(channel.join());
  await answered(channel.push(event, { request_id: crypto.randomUUID(), ...input }));
  socket.disconnect();
}

/** Both begin before the other one ends, and one start of a server is enough for them. */
test.each(['killed', 'stopped'] as const)(
  'a notebook goes on when the server is %s, every line once, and what waited is run; a run still hides a secret that was deleted',
  async (how) => {
    const first = await current();
    const owner = await signUp(first);
    const secret = await first.call<{ id: string }>('POST', '/v1/secrets', {
      key: 'API_KEY',
      secret: 'hunter2-hunter2',
    });
    const showing = countingTo(100).replace('print(i,', 'print(i, os.environ["API_KEY"],');
    const project = await notebookProject(first, [`import os\n${showing}`]);
    const { id } = await first.call<Run>('POST', `/v1/notebooks/${project}/runs`, {});
    await expect.poll(async () => textOf(await detail(first, project, id), 0)).toContain('1 [secret API_KEY]');
    await first.call('DELETE', `/v1/secrets/${secret.id}`);

    first.token = '';
    const token = await signUp(first);
    const lines = 'import time\nfor i in range(200):\n    print(i, flush=True)\n    time.sleep(0.02)';
    const projectId = await notebookProject(first, [
      'from IPython import display as d\n_ = d.display("before", display_id="kept")',
      lines,
      'print("after", i)\nd.update_display("after", display_id="kept")',
    ]);
    const { default_file_id } = await first.call<{ default_file_id: string }>('GET', `/v1/notebooks/${projectId}`);
    const address = { projectId, fileId: default_file_id };
    const read = (server: Server) =>
      server.call<Notebook>('GET', `/v1/projects/${projectId}/files/${default_file_id}/notebook`);
    await tell(first, address, 'execute_all_cells');
    await expect.poll(async () => (await read(first)).cells[1]?.outputs.length).toBe(1);
    // Typed a moment before: it is there as well.
    const source = 'typed just before';
    await tell(first, address, 'insert_cell', { cell: { id: 'late', source }, after_id: 'c2' });
    if (how === 'killed') await kill(first);
    else {
      first.child.kill('SIGTERM');
      expect(await once(first.child, 'exit')).toEqual([0, null]);
    }
    const second = await current();
    second.token = token;
    const states = ({ cells }: Notebook) => cells.map(({ execution }) => execution?.state ?? null);
    const seen = async () => {
      const now = await read(second);
      return [states(now), now.queue, now.kernel.state];
    };
    await expect.poll(seen).toEqual([['ok', 'ok', 'ok', null], [], 'idle']);
    const { cells } = await read(second);
    const textOfCell = (index: number) =>
      (cells[index]?.outputs ?? []).map((output) => ('text' in output ? output.text : '')).join('');
    expect(textOfCell(1)).toBe(`${Array.from({ length: 200 }, (_, index) => index).join('\n')}\n`);
    expect(textOfCell(2)).toBe('after 199\n');
    // What an earlier cell shows is still known by its name.
    expect(cells[0]?.outputs).toMatchObject([{ output_type: 'display_data', data: { 'text/plain': "'after'" } }]);
    expect(cells[3]?.source).toBe(source);

    second.token = owner;
    await expect.poll(async () => (await detail(second, project, id)).status).toBe('succeeded');
    const hidden = countedTo(100).replaceAll('\n', ' [secret API_KEY]\n');
    expect(textOf(await detail(second, project, id), 0)).toBe(hidden);
  },
);
