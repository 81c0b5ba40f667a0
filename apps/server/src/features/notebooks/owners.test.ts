import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join as joinPath } from 'node:path';
import { type Notebook, topicName, topics } from '@atoll/contract';
import { testPython } from '@atoll/kernels/test-python';
import { eq } from 'drizzle-orm';
import { Socket } from 'phoenix';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../test/machine.ts';
import { connect, JoinRefused, join } from '../../test/realtime-client.ts';
import { compiledOnce } from '../../test/server-process.ts';
import { type NatsServer, startNats } from '../../test/servers/nats-server.ts';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp, testSecretKey } from '../../test/test-app.ts';
import { executions, kernelSessions } from '../kernels/table.ts';
import { notebooks } from './table.ts';

/** Two servers on one database, with NATS between them. */

type Fields = Record<string, unknown>;

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

const overNats = () => ({ NATS_URL: nats.url });

/** Starts a second server with the same files, as several servers share one object store. */
const beside = async (one: TestApp) =>
  createTestApp({ beside: one, env: { ...overNats(), ATOLL_DATA: one.config.dataFolder } });

interface Address {
  projectId: string;
  fileId: string;
}

const open = async (app: TestApp, token: string, address: Address) => openBy(await connect(app, token), address);

async function openBy(socket: PhoenixSocket, address: Address) {
  const topic = await join(socket, topicName(topics.notebook, address));
  const send = (event: string, input: Fields = {}) => topic.push(event, { request_id: crypto.randomUUID(), ...input });
  const read = async () => (await topic.push('get_notebook', {})) as unknown as Notebook;
  const queue = async () => (await read()).queue.map(({ cell_id, state }) => `${cell_id} ${state}`);
  const settled = (expected: string[]) => expect.poll(queue, { interval: 50 }).toEqual(expected);
  const shown = async (id: string) => {
    const cell = (await read()).cells.find((each) => each.id === id);
    const texts = (cell?.outputs ?? []).map((output) =>
      output.output_type === 'stream' ? output.text : 'data' in output ? output.data['text/plain'] : output.ename,
    );
    return { texts, state: cell?.execution?.state, reason: cell?.execution?.reason };
  };
  const run = async (id: string) => {
    await send('execute_cell', { cell_id: id });
    await settled([]);
    return shown(id);
  };
  return { topic, send, read, settled, shown, run };
}

async function notebookOf(app: TestApp, sources: Record<string, string>) {
  const { token } = await app.person();
  const cells = Object.entries(sources).map(([id, source]) => code(source, id));
  const { id: projectId, fileId } = await app.notebookProject(token, cells);
  return { token, address: { projectId, fileId } };
}

const refused = (work: Promise<unknown>) =>
  work.then(
    (answer) => ({ answer }),
    (error: unknown) => (error instanceof JoinRefused ? error.response : Promise.reject(error)),
  );

/** Starts a second server in a process of its own, with a client. */
async function startProcess(one: TestApp, env: Record<string, string> = {}) {
  const port = await freePort();
  const { rows } = (await one.database.db.execute('select current_database() as name')) as unknown as {
    rows: { name: string }[];
  };
  const child = fork(joinPath(import.meta.dirname, 'test/other-server.ts'), {
    env: {
      PATH: process.env.PATH,
      ATOLL_DATA: one.config.dataFolder,
      ATOLL_SECRET_KEYS: testSecretKey,
      ATOLL_LOG_LEVEL: 'silent',
      ATOLL_KERNEL_SPARE: 'off',
      ATOLL_PYTHON: testPython,
      ATOLL_KERNEL_GRACE: '60',
      DATABASE_URL: inject('postgresUrl').replace(/\/postgres$/, `/${rows[0]?.name}`),
      NATS_URL: nats.url,
      PORT: String(port),
      TEST_TIME: String(one.clock.time),
      ...compiledOnce,
      ...env,
    },
  });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new Error('It did not start')))]);
  return {
    async open(token: string, address: Address) {
      const answer = await one.call<{ token: string }>('POST', '/v1/me/socket_token', { token });
      const url = `ws://127.0.0.1:${port}/api/atoll/socket`;
      const socket = new Socket(url, { transport: WebSocket, authToken: answer.body.token });
      socket.connect();
      onTestFinished(() => socket.disconnect());
      return openBy(socket, address);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.send('stop');
      await ended;
    },
  };
}

describe('a notebook on two servers', () => {
  test('runs on the server that has its kernel, whichever its people are connected to', async () => {
    const one = await createTestApp({ env: overNats() });
    const two = await beside(one);
    const { token, address } = await notebookOf(one, {
      a: 'x = 20',
      b: 'x += 1\nx',
      loop: 'while True: pass',
      ask: 'name = input("Who? ")\nname',
    });
    const here = await open(one, token, address);
    const there = await open(two, token, address);
    expect(await here.run('a')).toMatchObject({ state: 'ok' });
    expect(await there.run('b')).toEqual({ texts: ['21'], state: 'ok', reason: null });
    expect(await here.run('b')).toMatchObject({ texts: ['22'] });
    expect(await here.shown('b')).toEqual(await there.shown('b'));
    await here.topic.event('cell_executed', ({ cell_id }) => cell_id === 'b');
    await there.topic.event('execution_changed', ({ execution }) => (execution as Fields).cell === 'b');

    expect(await there.topic.push('execute_code', { code: 'print("seen")' })).toEqual({
      outputs: [{ output_type: 'stream', name: 'stdout', text: 'seen\n' }],
      state: 'ok',
    });
    expect(await there.topic.push('get_completions', { code: 'x', cursor: 1 })).toMatchObject({
      matches: [{ text: 'x' }],
    });
    expect(await there.topic.push('get_widgets', {})).toEqual({ widgets: {} });
    expect(await refused(there.topic.push('vars_list', {}))).toMatchObject({ reason: 'unsupported' });

    await there.send('execute_cell', { cell_id: 'loop' });
    await there.settled(['loop running']);
    await there.send('interrupt');
    await there.settled([]);
    expect(await there.shown('loop')).toMatchObject({ state: 'aborted', reason: 'It was interrupted.' });

    await there.send('execute_cell', { cell_id: 'ask' });
    const asked = await there.topic.event('queue_changed', ({ changed }) =>
      (changed as Notebook['queue']).some(({ question }) => question),
    );
    await there.send('reply_input', { id: (asked.changed as Notebook['queue'])[0]?.id, value: 'Ada' });
    await there.settled([]);
    expect(await there.shown('ask')).toMatchObject({ texts: ["'Ada'"] });

    await there.send('restart');
    expect(await there.run('b')).toMatchObject({ texts: ['NameError'] });
    const { db } = one.database;
    expect(await db.select().from(kernelSessions)).toHaveLength(1);
    await there.send('stop_kernel');
    await expect.poll(async () => (await here.read()).kernel.state).toBe('ended');
  });

  test('is saved with the widgets of its kernel by another server', async () => {
    const one = await createTestApp({ kernels: 'real', env: { ...overNats(), ATOLL_PYTHON: testPython } });
    const two = await beside(one);
    const { token, address } = await notebookOf(one, { a: 'import ipywidgets\nipywidgets.IntSlider(value=3)' });
    const here = await open(one, token, address);
    expect(await here.run('a')).toMatchObject({ state: 'ok' });
    const there = await open(two, token, address);
    expect(Object.keys(((await there.topic.push('get_widgets', {})) as { widgets: Fields }).widgets)).toHaveLength(3);
    await there.send('save_version', { name: 'With a slider' });
    const path = `/v1/projects/${address.projectId}/files/${address.fileId}/export`;
    const { body } = await two.call<Fields>('POST', path, { token, body: { type: 'ipynb' } });
    const { metadata } = (typeof body === 'string' ? JSON.parse(body) : body) as { metadata: Fields };
    const saved = (metadata.widgets as Fields)['application/vnd.jupyter.widget-state+json'] as { state: Fields };
    expect(Object.values(saved.state)).toContainEqual(expect.objectContaining({ model_name: 'IntSliderModel' }));
  });

  test('runs every cell once on one server when it is started on both', async () => {
    const one = await createTestApp({ env: overNats() });
    const two = await beside(one);
    for (let round = 0; round < 5; round++) {
      const cells = Object.fromEntries(Array.from({ length: 6 }, (_, each) => [`c${each}`, `print("once")`]));
      const { token, address } = await notebookOf(one, cells);
      const [here, there] = await Promise.all([open(one, token, address), open(two, token, address)]);
      await Promise.all(
        Object.keys(cells).map((cell_id, each) => (each % 2 ? here : there).send('execute_cell', { cell_id })),
      );
      await here.settled([]);
      for (const id of Object.keys(cells)) expect(await there.shown(id)).toMatchObject({ texts: ['once\n'] });
      const { db } = one.database;
      const sessions = await db.select().from(kernelSessions).where(eq(kernelSessions.fileId, address.fileId));
      expect(sessions).toHaveLength(1);
      const ran = await db
        .select()
        .from(executions)
        .where(eq(executions.sessionId, sessions[0]?.id ?? ''));
      expect(ran).toHaveLength(6);
      expect(ran.every(({ executionCount }) => executionCount !== null)).toBe(true);
      expect(new Set(ran.map(({ executionCount }) => executionCount)).size).toBe(6);
      const [{ ownerId } = { ownerId: null }] = await db
        .select()
        .from(notebooks)
        .where(eq(notebooks.fileId, address.fileId));
      expect(ownerId).toBe(sessions[0]?.serverId);
    }
  });

  test('is taken over with a reason when its server was killed, and no cell is run twice', async () => {
    const one = await createTestApp({ env: overNats() });
    const { token, address } = await notebookOf(one, { a: 'x = 1', loop: 'while True: pass', b: 'print("once")' });
    const other = await startProcess(one);
    const there = await other.open(token, address);
    const here = await open(one, token, address);
    expect(await there.run('a')).toMatchObject({ state: 'ok' });
    await here.send('execute_cells', { cell_ids: ['loop', 'b'] });
    await here.settled(['loop running', 'b waiting']);
    await other.kill();
    expect(await refused(here.send('execute_cell', { cell_id: 'b' }))).toMatchObject({
      reason: 'no_answer',
      message: 'The server that has this does not answer. Try again in a minute.',
    });
    expect(await refused(here.topic.push('execute_code', { code: '1' }))).toMatchObject({ reason: 'no_answer' });
    await here.settled(['loop running', 'b waiting']);

    // Simulates a clock that was set back by a day: the lease is shortened to the usual time to return.
    const isIts = eq(notebooks.fileId, address.fileId);
    const tomorrow = new Date(one.clock.time + 86_400_000);
    await one.database.db.update(notebooks).set({ ownedUntil: tomorrow }).where(isIts);
    const ownedUntil = async () => (await one.database.db.select().from(notebooks).where(isIts))[0]?.ownedUntil;
    await expect.poll(ownedUntil).toEqual(new Date(one.clock.time + 60_000));
    one.clock.advance(61_000);
    await here.settled([]);
    const reason = 'The server it ran on has stopped. Run it again.';
    expect(await here.shown('loop')).toMatchObject({ state: 'error', reason });
    expect(await here.shown('b')).toMatchObject({ texts: [], state: undefined });
    expect((await here.read()).kernel).toMatchObject({ state: 'ended', end_message: reason });
    await here.topic.event('kernel_changed', ({ kernel }) => (kernel as Fields).end_message === reason);
    expect(await here.run('b')).toMatchObject({ texts: ['once\n'], state: 'ok' });
    const ran = await one.database.db.select().from(executions).where(eq(executions.cell, 'b'));
    expect(ran).toHaveLength(1);
  });

  test('continues all parallel cells when its killed server comes back', async () => {
    const one = await createTestApp({ env: overNats() });
    const wait = 'while not os.path.exists("go.txt"): time.sleep(0.05)';
    const { token, address } = await notebookOf(one, {
      a: 'import os, time',
      b: `print("b begun", flush=True)\n${wait}\nprint("b goes on")`,
      c: `print("c begun", flush=True)\n${wait}\nprint("c goes on")`,
    });
    const env = { TEST_KERNELS: 'real', ATOLL_PYTHON: testPython };
    const first = await startProcess(one, env);
    const there = await first.open(token, address);
    await there.run('a');
    await there.send('toggle_parallel_execution_enabled', { is_enabled: true });
    const here = await open(one, token, address);
    await here.send('execute_cell', { cell_id: 'b' });
    await here.send('execute_cell', { cell_id: 'c' });
    for (const id of ['b', 'c']) {
      await expect.poll(async () => (await here.shown(id)).texts).toEqual([`${id} begun\n`]);
    }
    await first.kill();
    const second = await startProcess(one, env);
    await here.settled(['b running', 'c running']);
    await one.call('POST', `/v1/notebooks/${address.projectId}/files-contents`, { token, body: { name: 'go.txt' } });
    await here.settled([]);
    for (const id of ['b', 'c']) {
      const texts = [`${id} begun\n${id} goes on\n`];
      expect(await here.shown(id)).toEqual({ texts, state: 'ok', reason: null });
    }
    await second.stop();
  });
});
