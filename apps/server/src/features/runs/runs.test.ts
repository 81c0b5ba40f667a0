import type { Run, RunDetail, ServerUsage } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { openFakeKernel } from '../../test/fake-session.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { executions, kernelSessions } from '../kernels/table.ts';
import { projectGrants } from '../projects/table.ts';
import { users } from '../users/table.ts';
import { runs } from './table.ts';

interface List<Entry> {
  entries: Entry[];
  total: number;
}

const start = (app: TestApp, token: string, id: string, body: object = {}) =>
  app.call<Run>('POST', `/v1/notebooks/${id}/runs`, { token, body });
const get = async (app: TestApp, token: string, id: string, runId: string) =>
  (await app.call<RunDetail>('GET', `/v1/notebooks/${id}/runs/${runId}`, { token })).body;

async function ended(app: TestApp, token: string, id: string, runId: string): Promise<RunDetail> {
  await expect.poll(async () => (await get(app, token, id, runId)).status).not.toBe('running');
  return get(app, token, id, runId);
}

test('a notebook is run from start to end, and what it shows is kept', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const cells = [
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: '# Title' },
    code('print("hello")\nx = 20', 'a'),
    code('', 'empty'),
    code('x += 22\nx', 'b'),
  ];
  const project = await app.notebookProject(token, cells);
  const begun = await start(app, token, project.id);
  expect(begun).toMatchObject({
    status: 200,
    body: { number: 1, status: 'running', type: 'manual', file: { name: 'main.ipynb' }, version: { number: 1 } },
  });
  const run = await ended(app, token, project.id, begun.body.id);
  expect(run).toMatchObject({ status: 'succeeded', error_reason: null, cells_done: 2, cells_total: 2 });
  expect(run.executions.map(({ cell, outputs }) => [cell, outputs])).toEqual([
    ['a', [{ output_type: 'stream', name: 'stdout', text: 'hello\n' }]],
    ['b', [{ output_type: 'execute_result', data: { 'text/plain': '42' }, metadata: {}, execution_count: 2 }]],
  ]);
  const result = await app.call<string>('GET', `/v1/notebooks/${project.id}/runs/${run.id}/result`, { token });
  expect(result.headers['content-disposition']).toContain('main%20%28run%201%29.ipynb');
  const document = JSON.parse(result.body as unknown as string);
  expect(document.cells.map((cell: { outputs?: unknown[] }) => cell.outputs?.length)).toEqual([undefined, 1, 0, 1]);
  const detail = await app.call<{ stats: { execute_count: number } }>('GET', `/v1/notebooks/${project.id}`, { token });
  expect(detail.body.stats.execute_count).toBe(1);
});

test('a run has its own parameters, as papermill sets them, where the feature is on', async () => {
  const app = await createTestApp();
  const { id: userId, token } = await app.person();
  const tagged = { ...code('n = 1', 'given'), metadata: { tags: ['parameters'] } };
  const project = await app.notebookProject(token, [tagged, code('n += 1\nn', 'sum')]);
  const asked = { parameters: { n: 41 } };
  expect((await start(app, token, project.id, asked)).status).toBe(403);
  await app.db
    .update(users)
    .set({ features: { execute_with_parameters: true } })
    .where(eq(users.id, userId));
  expect((await start(app, token, project.id, { parameters: { '1; import os': 1 } })).status).toBe(422);
  const script = await app.createFile(token, project.id, 'a.py', 'print(1)');
  expect((await start(app, token, project.id, { ...asked, project_file_id: script.body.id })).status).toBe(422);
  const run = await ended(app, token, project.id, (await start(app, token, project.id, asked)).body.id);
  expect(run).toMatchObject({ status: 'succeeded', cells_total: 3, parameters: { n: 41 } });
  expect(run.executions.at(-1)?.outputs).toMatchObject([{ data: { 'text/plain': '42' } }]);
  const result = await app.call<string>('GET', `/v1/notebooks/${project.id}/runs/${run.id}/result`, { token });
  const { cells } = JSON.parse(result.body as unknown as string);
  expect(cells.map(({ id }: { id: string }) => id)).toEqual(['given', 'injected-parameters', 'sum']);
});

test('a run ends at the first cell that fails, unless the cell may', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const project = await app.notebookProject(token, [
    code('1/0', 'a', [], { tags: ['raises-exception'] }),
    code('1/0', 'b'),
    code('1', 'c'),
  ]);
  const run = await ended(app, token, project.id, (await start(app, token, project.id)).body.id);
  expect(run).toMatchObject({
    status: 'failed',
    error_reason: 'Cell 2: ZeroDivisionError: division by zero',
    cells_done: 1,
    cells_total: 3,
    has_result: true,
  });
  expect(run.executions.map(({ cell, state }) => [cell, state])).toEqual([
    ['a', 'error'],
    ['b', 'error'],
  ]);
});

test('a run leaves out cells tagged skip-execution, with what they showed', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const shown = { output_type: 'stream', name: 'stdout', text: 'from before\n' };
  const skipped = { ...code('1/0', 'b', [shown], { tags: ['skip-execution'] }), execution_count: 7 };
  const project = await app.notebookProject(token, [code('x = 1', 'a'), skipped, code('x', 'c')]);
  const run = await ended(app, token, project.id, (await start(app, token, project.id)).body.id);
  expect(run).toMatchObject({ status: 'succeeded', cells_done: 2, cells_total: 2 });
  expect(run.executions.map(({ cell }) => cell)).toEqual(['a', 'c']);
  const result = await app.call<string>('GET', `/v1/notebooks/${project.id}/runs/${run.id}/result`, { token });
  const [, kept] = JSON.parse(result.body as unknown as string).cells;
  expect(kept).toMatchObject({ outputs: [shown], execution_count: 7 });
});

test('a run tells how it goes on, and can be stopped', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const project = await app.notebookProject(token, [code('print("begun")', 'a'), code('while True: pass', 'b')]);
  const { body } = await start(app, token, project.id);
  const client = await connect(app, token);
  const topic = await join(client, `run:${project.id}/${body.id}`);
  await expect.poll(() => get(app, token, project.id, body.id)).toMatchObject({ cells_done: 1 });
  await expect
    .poll(async () => (await app.call<List<ServerUsage>>('GET', '/v1/my_servers', { token })).body.entries)
    .toMatchObject([{ state: 'busy', execution_type: 'run', project: { id: project.id } }]);
  const stopped = await app.call<Run>('DELETE', `/v1/notebooks/${project.id}/runs/${body.id}`, { token });
  expect(stopped.status).toBe(200);
  const run = await ended(app, token, project.id, body.id);
  expect(run).toMatchObject({ status: 'aborted', error_reason: 'Stopped.' });
  await expect
    .poll(() => topic.events.filter(({ event }) => event === 'run_changed').at(-1)?.payload)
    .toMatchObject({ run: { status: 'aborted' } });
  expect((await app.call('DELETE', `/v1/notebooks/${project.id}/runs/${body.id}`, { token })).status).toBe(200);
  expect(await get(app, token, project.id, body.id)).toEqual(run);
  await expect
    .poll(async () => (await app.call<List<ServerUsage>>('GET', '/v1/my_servers', { token })).body.total)
    .toBe(0);
  const usage = await app.call<List<ServerUsage>>('GET', '/v1/my_usage', { token, query: { type: 'execution' } });
  expect(usage.body).toMatchObject({ total: 1, entries: [{ execution_batch_id: body.id, executions_count: 2 }] });
});

test.each([
  ['os._exit(3)', 'failed', 'The kernel ended itself with code 3.'],
  ['crash', 'failed', 'The kernel crashed (SIGSEGV).'],
])('a kernel that ends by itself ends its run with the reason: %s', async (source, status, reason) => {
  const app = await createTestApp();
  const { token } = await app.person();
  const project = await app.notebookProject(token, [code(source, 'a')]);
  const run = await ended(app, token, project.id, (await start(app, token, project.id)).body.id);
  expect(run).toMatchObject({ status, error_reason: reason });
});

test('runs are listed with what was asked for', async () => {
  const app = await createTestApp();
  const owner = await app.person();
  const other = await app.person();
  const project = await app.notebookProject(owner.token, [code('1', 'a')]);
  await app.database.db.insert(projectGrants).values({
    projectId: project.id,
    userId: other.id,
    permissions: ['view', 'view_source', 'view_history', 'execute'],
    createdAt: new Date(app.clock.time),
  });
  for (const { token } of [owner, owner, other]) {
    await ended(app, token, project.id, (await start(app, token, project.id)).body.id);
  }
  const bad = await app.upload(owner.token, 'no notebook', 'main.ipynb');
  await app.patch(owner.token, `/v1/notebooks/${project.id}/files-contents/${project.default_file_id}`, {
    upload_id: bad,
  });
  const failed = await ended(app, owner.token, project.id, (await start(app, owner.token, project.id)).body.id);
  expect(failed).toMatchObject({ status: 'failed', version: { number: 2 } });
  expect(failed.error_reason).toContain('The notebook cannot be read');
  const numbers = async (query: Record<string, string>, token = owner.token) => {
    const answer = await app.call<List<Run>>('GET', `/v1/notebooks/${project.id}/runs`, { token, query });
    return answer.body.entries.map(({ number }) => number);
  };
  expect(await numbers({})).toEqual([4, 2, 1]);
  expect(await numbers({ all_runs: 'true' })).toEqual([4, 3, 2, 1]);
  expect(await numbers({ all_runs: 'true', page: '2', page_size: '3' })).toEqual([1]);
  expect(await numbers({ mode: 'last_ok' })).toEqual([2, 1]);
  expect(await numbers({ mode: 'scheduled' })).toEqual([]);
  expect(await numbers({ all_runs: 'true', search: other.user_name })).toEqual([3]);
  expect(await numbers({ search: '#2' })).toEqual([2]);
  expect(await numbers({ search: 'cannot be read' })).toEqual([4]);
  expect(await numbers({}, other.token)).toEqual([3]);
});

test('only what can be run is run, by those who may, with what their plan has', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const stranger = await app.person();
  const project = await app.notebookProject(token, [code('1', 'a')]);
  expect((await start(app, stranger.token, project.id)).status).toBe(404);
  expect((await start(app, token, project.id, { kernel: 'local.nothing' })).body).toMatchObject({
    status: 422,
    fields: { kernel: ['There is no kernel with this name'] },
  });
  expect((await start(app, token, project.id, { tier: 'l3' })).body).toMatchObject({
    status: 403,
    details: { reason: 'usage_limit_reached' },
  });
  const text = await app.createFile(token, project.id, 'notes.txt', 'x');
  expect((await start(app, token, project.id, { project_file_id: text.body.id })).status).toBe(422);
  const script = await app.createFile(token, project.id, 'job.py', 'print("from a script")');
  const { body } = await start(app, token, project.id, { project_file_id: script.body.id });
  const run = await ended(app, token, project.id, body.id);
  expect(run).toMatchObject({ status: 'succeeded', file: { name: 'job.py' }, has_result: false });
  expect(run.executions[0]?.outputs).toMatchObject([{ text: 'from a script\n' }]);
  expect((await app.call('GET', `/v1/notebooks/${project.id}/runs/${run.id}/result`, { token })).status).toBe(404);
});

test('what takes longer than the plan allows is ended, with the reason, and its kernel lives on', async () => {
  const app = await createTestApp();
  const { token, id: userId } = await app.person();
  const { id: projectId } = await app.project(token);
  const live = await openFakeKernel(app.app.system(), userId, projectId);
  const run = (source: string, longestMs: number) =>
    live.execute({ id: newId(), code: source, batchId: newId(), cell: null, topic: null, longestMs });
  expect(await run('while True: pass', 30)).toMatchObject({
    state: 'aborted',
    reason: 'The run took longer than your plan allows.',
  });
  expect(await run('1', 60_000)).toMatchObject({ state: 'ok' });
});

test('cells that share an id, or have none, are all run', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const { id: _, ...nameless } = code('print("third")', '');
  const project = await app.notebookProject(token, [
    code('print("first")', 'same'),
    code('print("second")', 'same'),
    { ...nameless, metadata: { tags: 5 } },
  ]);
  const run = await ended(app, token, project.id, (await start(app, token, project.id)).body.id);
  expect(run).toMatchObject({ status: 'succeeded', cells_done: 3 });
  const text = run.executions.flatMap(({ outputs }) => outputs.map((output) => 'text' in output && output.text));
  expect(text).toEqual(['first\n', 'second\n', 'third\n']);
});

test('a run of a project that goes into the bin is stopped, with the reason', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const project = await app.notebookProject(token, [code('while True: pass', 'a')]);
  const { body } = await start(app, token, project.id);
  await expect.poll(async () => (await get(app, token, project.id, body.id)).executions.length).toBe(1);
  await app.call('DELETE', `/v1/notebooks/${project.id}`, { token });
  await app.deliveredMails();
  await expect
    .poll(async () => (await app.database.db.select().from(runs).where(eq(runs.id, body.id)))[0])
    .toMatchObject({ status: 'aborted', errorReason: 'It was stopped because the project was deleted.' });
});

test('what cannot be stored as text is shown as what it can be', async () => {
  const app = await createTestApp();
  const { token } = await app.person();
  const project = await app.notebookProject(token, [code('print("a\\u0000b\\ud800c")', 'a'), code('1', 'b')]);
  const run = await ended(app, token, project.id, (await start(app, token, project.id)).body.id);
  expect(run).toMatchObject({ status: 'succeeded' });
  expect(run.executions[0]?.outputs).toMatchObject([{ text: 'a\ufffdb\ufffdc\n' }]);
});

test('a server that is stopped brings its runs to an end, with the reason', async () => {
  const app = await createTestApp({ keepOpen: true });
  const { token } = await app.person();
  const project = await app.notebookProject(token, [code('while True: pass', 'a')]);
  const { body } = await start(app, token, project.id);
  await expect.poll(async () => (await get(app, token, project.id, body.id)).executions.length).toBe(1);
  let row: typeof runs.$inferSelect | undefined;
  const { close } = app.database;
  app.database.close = async () => {
    [row] = await app.database.db.select().from(runs).where(eq(runs.id, body.id));
    await close();
  };
  await app.close();
  expect(row).toMatchObject({ status: 'aborted', errorReason: 'The server was stopped during the run. Run it again.' });
});

test.each(['before the kernel is stored', 'while the kernel starts'])(
  'a run of a person who is suspended %s executes nothing',
  async (when) => {
    const app = await createTestApp();
    const [admin, ada] = [await app.admin(), await app.person()];
    const project = await app.notebookProject(ada.token, [code('x = 1', 'a'), code('x', 'b')]);
    const { kernels } = app.app.system();
    const host = await kernels.host();
    const suspended = async () => {
      const body = { message: 'Please write to us.' };
      await app.call('POST', `/v1/admin/users/${ada.id}/suspend`, { token: admin.token, body });
      await app.app.relay.settled();
    };
    const open = host.open.bind(host);
    const held = when.startsWith('before')
      ? vi.spyOn(kernels, 'host').mockImplementation(async () => suspended().then(() => host))
      : vi.spyOn(host, 'open').mockImplementation(async (input) => suspended().then(() => open(input)));
    const run = await start(app, ada.token, project.id);
    const { db } = app.database;
    await expect.poll(async () => (await db.select().from(runs))[0]?.endedAt ?? null).not.toBeNull();
    held.mockRestore();
    expect(run.status).toBe(200);
    expect((await db.select().from(runs))[0]?.status).not.toBe('ok');
    expect(await db.select().from(executions)).toEqual([]);
    await expect
      .poll(async () => (await db.select().from(kernelSessions)).filter(({ endedAt }) => endedAt === null))
      .toEqual([]);
  },
);
