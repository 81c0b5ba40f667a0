import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../../../platform/db/columns.ts';
import { openFakeKernel } from '../../../../test/fake-session.ts';
import { createTestApp } from '../../../../test/test-app.ts';
import { executionOutputs, executions } from '../../table.ts';
import { ExecutionTime } from '../executions/execution-time.ts';
import type { Batch } from '../store-batch.ts';
import { OutputWriter } from './output-writer.ts';

const message = (id: string) =>
  ({
    header: { msg_id: id, msg_type: 'comm_msg' },
    parent_header: {},
    metadata: {},
    content: {},
    buffers: [],
  }) as never;

/** Stores an execution with an output, together with a message to a widget. */
async function stored(given: { index?: number; changedIndex?: number; displayId?: string; stumbles?: () => void }) {
  const { index = 0, displayId = null, stumbles = () => {} } = given;
  const { changedIndex = index + 1 } = given;
  const app = await createTestApp();
  const ctx = app.app.system();
  const { token, id: userId } = await app.person();
  const { id: projectId } = await app.project(token);
  const { row: session } = await openFakeKernel(ctx, userId, projectId);
  let toldWidgets = 0;
  const writer = new OutputWriter(ctx, () => ({
    stateChanged: async () => {},
    asked: () => {},
    stillShown: async (_write, ids) => ids,
    async comms(write) {
      stumbles();
      write.after(() => {
        toldWidgets++;
      });
    },
  }));
  const id = newId();
  const now = ctx.now();
  const batch: Batch = {
    row: {
      id,
      sessionId: session.id,
      batchId: newId(),
      cell: 'a',
      topic: null,
      longestMs: null,
      state: 'ok',
      executionCount: 1,
      errorName: null,
      reason: null,
      outputBytes: 4,
      clearsWithNext: false,
      startedAt: now,
      endedAt: now,
      milliseconds: 1,
    } as Batch['row'],
    changes: [],
    outputs: [{ index, output: { output: { output_type: 'stream', name: 'stdout', text: 'hi\n' }, displayId } }],
    isCleared: false,
    isNew: true,
  };
  const changed: Batch = {
    ...batch,
    outputs: [{ ...batch.outputs[0], index: changedIndex } as Batch['outputs'][number]],
  };
  await writer.store(session, new ExecutionTime(ctx, session, null), {
    batch: [batch],
    changed: [changed],
    comms: [message('1')],
  });
  const { db } = app.database;
  const [row] = await db.select().from(executions).where(eq(executions.id, id));
  const outputs = await db.select().from(executionOutputs).where(eq(executionOutputs.executionId, id));
  return { reason: row?.reason, state: row?.state, outputs: outputs.length, toldWidgets };
}

const tooFar = 2 ** 40;
const stumbles = () => {
  throw new TypeError('not a function');
};

test('leaves out messages that cannot be sent to widgets, and stores the rest', async () => {
  expect(await stored({})).toEqual({ state: 'ok', reason: null, outputs: 2, toldWidgets: 1 });
  expect(await stored({ stumbles })).toEqual({ state: 'ok', reason: null, outputs: 2, toldWidgets: 0 });
});

test('leaves out outputs that the database refuses, and stores the rest', async () => {
  const reason = 'What it showed could not be stored.';
  expect(await stored({ index: tooFar })).toEqual({ state: 'ok', reason, outputs: 0, toldWidgets: 1 });
  expect(await stored({ changedIndex: tooFar })).toEqual({ state: 'ok', reason: null, outputs: 1, toldWidgets: 1 });
  expect(await stored({ index: tooFar, stumbles })).toEqual({ state: 'ok', reason, outputs: 0, toldWidgets: 0 });
});

test('stores a display with any name', async () => {
  expect(await stored({ displayId: 'a\0b\ud800' })).toEqual({ state: 'ok', reason: null, outputs: 2, toldWidgets: 1 });
});

test('waits for a database that is away, and leaves out nothing', async () => {
  let times = 0;
  const isAway = () => {
    if (times++ === 0) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  };
  expect(await stored({ stumbles: isAway })).toEqual({ state: 'ok', reason: null, outputs: 2, toldWidgets: 1 });
});
