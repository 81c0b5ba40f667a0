import { availableParallelism } from 'node:os';
import type { Notebook, Run } from '@atoll/contract';
import { createHost, fakeKernels } from '@atoll/kernels';
import { eq, isNotNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { kernelsHere } from '../../platform/kernels/kernels.ts';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { enqueue } from '../notebooks/service/queue/queue.ts';
import { runs } from './table.ts';

/** A server whose kernels take longer to start than it lives, beside one that is there to stay. */
async function leavingBeside(staying: TestApp): Promise<TestApp> {
  const host = await createHost({ providers: [fakeKernels()], runFolder: staying.config.dataFolder });
  const kernels = kernelsHere({ ...host, hostId: crypto.randomUUID(), open: () => new Promise(() => {}) });
  return createTestApp({ beside: staying, keepOpen: true, kernels, env: { ATOLL_DATA: staying.config.dataFolder } });
}

test('what a server that is stopped has not begun is begun by another: a run, and the cells of a notebook', async () => {
  const staying = await createTestApp();
  const leaving = await leavingBeside(staying);
  const { token, id: userId } = await leaving.person();
  const { id: projectId, fileId } = await leaving.notebookProject(token, [code('print("once")', 'a')]);
  const begin = async () => (await leaving.post<Run>(token, `/v1/notebooks/${projectId}/runs`, {})).body.id;
  const { db } = staying.database;
  const isWithKernel = isNotNull(runs.sessionId);
  // So many kernels start at once; the last run waits for its turn.
  const startsAtOnce = 2 * availableParallelism();
  for (let count = 0; count < startsAtOnce; count++) await begin();
  await expect.poll(() => db.$count(runs, isWithKernel)).toBe(startsAtOnce);
  const waiting = await begin();
  const ctx = leaving.app.system().as({ kind: 'user', userId, isAdmin: false, impersonatorId: null });
  await enqueue(ctx, { projectId, fileId }, { cellIds: ['a'], isByAssistant: false, wake: () => {} });
  await leaving.app.stop({ keepsKernels: true });

  staying.clock.advance(4_000);
  await staying.settled();
  const stateOf = async (id: string) =>
    (await staying.get<Run>(token, `/v1/notebooks/${projectId}/runs/${id}`)).body as Run;
  await expect.poll(() => stateOf(waiting)).toMatchObject({ status: 'succeeded', error_reason: null });
  const notebook = async () => {
    const { body } = await staying.get<Notebook>(token, `/v1/projects/${projectId}/files/${fileId}/notebook`);
    return [(body as Notebook).cells[0]?.outputs, (body as Notebook).queue];
  };
  const shown = [{ output_type: 'stream', name: 'stdout', text: 'once\n' }];
  await expect.poll(notebook).toEqual([shown, []]);
  // Those with a kernel are for the next life of their server.
  const left = await db.select({ status: runs.status }).from(runs).where(eq(runs.status, 'in_progress'));
  expect(left).toHaveLength(startsAtOnce);
});
