import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { openFakeKernel } from '../../test/fake-session.ts';
import { createTestApp } from '../../test/test-app.ts';
import { kernelSessionsOf } from './service/kernel-sessions.ts';
import { type ExecutionRow, executionOutputs, executions, kernelSessions } from './table.ts';

async function opened() {
  const app = await createTestApp();
  const ctx = app.app.system();
  const { token, id: userId } = await app.person();
  const project = await app.project(token);
  const sessions = kernelSessionsOf(ctx);
  const live = await openFakeKernel(ctx, userId, project.id);
  const host = await ctx.kernels.host();
  const { db } = app.database;
  const stored = async (id: string) => (await db.select().from(executions).where(eq(executions.id, id)))[0];
  return { app, ctx, token, project, sessions, live, host, db, stored };
}

const input = { batchId: newId(), cell: 'a', topic: null, longestMs: null };

test('stores a short execution with its end, and a long one while it runs', async () => {
  const { live, stored } = await opened();
  const [short, long] = [newId(), newId()];
  expect(await live.execute({ ...input, id: short, code: '1+1' })).toMatchObject({ state: 'ok' });
  expect(await stored(short)).toMatchObject({ state: 'ok', executionCount: 1 });
  const going = live.execute({ ...input, id: long, code: 'while True: pass' });
  await expect.poll(async () => (await stored(long))?.state).toBe('running');
  await live.stop({ reason: 'stopped', message: 'It was stopped.' });
  expect(await going).toMatchObject({ state: 'aborted', reason: 'It was stopped.' });
  expect(await stored(long)).toMatchObject({ state: 'aborted', reason: 'It was stopped.' });
});

test("stores an error's text as far as a column can hold it", async () => {
  const { live, stored } = await opened();
  const id = newId();
  const reason = 'ValueError: half \ufffd and \ufffd';
  const code = 'raise ValueError("half \\ud83d and \\u0000")';
  expect(await live.execute({ ...input, id, code })).toMatchObject({ state: 'error', reason });
  expect(await stored(id)).toMatchObject({ state: 'error', reason });
});

test('gets a request that a killed server had not stored back from the host, once', async () => {
  const { ctx, live, host, db, stored } = await opened();
  const id = newId();
  const note: ExecutionRow = {
    ...input,
    id,
    sessionId: live.row.id,
    state: 'running',
    executionCount: null,
    errorName: null,
    reason: null,
    outputBytes: 0,
    clearsWithNext: false,
    startedAt: ctx.now(),
    endedAt: null,
    milliseconds: null,
  };
  const request = { id, code: 'x = input("Go on?")\nprint("once")', allowsInput: true, limitMs: null, note };
  await host.execute(live.row.id, request);
  await expect.poll(() => live.goingOf(input.batchId, 'a')?.id).toBe(id);
  // The server that resumes it sends the request again, and the code does not run again.
  await live.ensure(id, request.code);
  const finished = live.goingOf(input.batchId, 'a')?.finished;
  await host.reply(live.row.id, 'yes');
  expect(await finished).toMatchObject({ state: 'ok' });
  await host.follow(live.row.id, 0);
  expect(live.goingOf(input.batchId, 'a')).toBeNull();
  expect(await stored(id)).toMatchObject({ state: 'ok', batchId: input.batchId, cell: 'a' });
  const outputs = await db.select().from(executionOutputs).where(eq(executionOutputs.executionId, id));
  expect(outputs.map(({ output }) => output)).toEqual([{ output_type: 'stream', name: 'stdout', text: 'once\n' }]);
  const [session] = await db.select().from(kernelSessions).where(eq(kernelSessions.id, live.row.id));
  expect(session?.executionsCount).toBe(1);
});

test("copies project changes into the folder of a kernel in use, and not into a run's folder", async () => {
  const { app, token, project, sessions, live, host } = await opened();
  const folder = (await host.kernels()).find(({ id }) => id === live.row.id)?.folder ?? '';
  const upload = (name: string, text: string) => app.createFile(token, project.id, name, text);
  await upload('data/in.csv', '1\n2\n');
  await sessions.refreshFiles({ id: live.row.id });
  expect(await readFile(join(folder, 'data/in.csv'), 'utf8')).toBe('1\n2\n');
  live.row.purpose = 'run';
  await upload('late.csv', '3\n');
  await sessions.refreshFiles({ id: live.row.id });
  await expect(readFile(join(folder, 'late.csv'))).rejects.toThrow('ENOENT');
});
