import { isDeepStrictEqual } from 'node:util';
import {
  type BarInspection,
  mostTestsKept,
  type newStrategyTest,
  type StrategyDescription,
  type StrategyTestDetail,
  type StrategyTestView,
} from '@atoll/contract';
import { and, desc, eq, inArray, isNull, max } from 'drizzle-orm';
import type { z } from 'zod';
import { appState } from '../../../platform/app-state.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, invalidField, notFound, requestReused } from '../../../platform/errors.ts';
import { cancelJob } from '../../../platform/jobs/enqueue.ts';
import { lockProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { strategyTests, type TestRow } from '../table.ts';
import { snakeKeys, viewParameters, viewTest } from '../view.ts';
import type { Answers } from '../worker/messages.ts';
import { type Code, findCode, readDocument, readText, requireStrategy } from './document.ts';
import { meteredRequest } from './metered.ts';
import { checkSettings, endOf } from './process/task.ts';
import { eventOf, inFolder, taskOf } from './process/test-task.ts';
import { inWorker, StrategyRefusal } from './process/worker-process.ts';
import { testJob } from './test-job.ts';
import type { StoredResult } from './test-result.ts';
import { startVerification } from './verify-job.ts';

const describeMs = 20_000;
const inspectMs = 60_000;
const inFlight = 20;

const described = appState(() => new Map<string, Promise<Answers['describe']>>());
const mostDescribed = 200;

/** However often a page asks, code is looked at once. */
function declaredIn(ctx: Context, { blob, language }: Code): Promise<Answers['describe']> {
  const known = described(ctx);
  const key = `${language} ${blob}`;
  const found = known.get(key);
  if (found) return found;
  const answer = readText(ctx, blob).then((code) =>
    inFolder((folder) => inWorker(ctx, { kind: 'describe', code, language }, { folder, timeMs: describeMs })),
  );
  known.set(key, answer);
  answer.catch(() => known.delete(key));
  for (const oldest of known.keys()) {
    if (known.size <= mostDescribed) break;
    known.delete(oldest);
  }
  return answer;
}

export async function describeStrategy(ctx: Context, fileId: string): Promise<StrategyDescription> {
  const { file } = await requireStrategy(ctx, fileId, 'strategy.view');
  const empty = { file_id: file.id, code_file_id: null, code_path: '', language: 'typescript', name: '' } as const;
  try {
    const code = await findCode(ctx, file, await readDocument(ctx, file));
    const found = {
      ...empty,
      code_file_id: code.fileId,
      code_path: code.path,
      language: code.language,
      name: file.path,
    };
    const { parameters, problem } = await declaredIn(ctx, code);
    return {
      ...found,
      parameters: parameters ? viewParameters(parameters) : [],
      problem: problem && { message: problem.message, line: problem.line, column: problem.column ?? null },
    };
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof StrategyRefusal)) throw error;
    return { ...empty, parameters: [], problem: { message: error.message, line: null, column: null } };
  }
}

const peopleOf = (ctx: Context, rows: TestRow[]) => loadPeopleOf(ctx.db, rows, ({ starterId }) => starterId);

export const viewOne = async (ctx: Context, row: TestRow): Promise<StrategyTestView> =>
  viewTest(row, await peopleOf(ctx, [row]));

export async function listTests(ctx: Context, fileId: string, page: number, pageSize: number) {
  await requireStrategy(ctx, fileId, 'strategy.view');
  const ofFile = eq(strategyTests.fileId, fileId);
  const [rows, total] = await Promise.all([
    ctx.db
      .select()
      .from(strategyTests)
      .where(ofFile)
      .orderBy(desc(strategyTests.number))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.$count(strategyTests, ofFile),
  ]);
  const people = await peopleOf(ctx, rows);
  return { entries: rows.map((row) => viewTest(row, people)), page, page_size: pageSize, total };
}

type NewTest = z.infer<typeof newStrategyTest>;

export async function startTest(ctx: Context, fileId: string, input: NewTest): Promise<StrategyTestView> {
  const { file, project } = await requireStrategy(ctx, fileId, 'strategy.test');
  const before = await findByRequest(ctx, fileId, input);
  if (before) return viewOne(ctx, before);
  if (input.kind !== 'backtest' && !input.plan) throw invalidField('plan', 'Choose the parameters to vary.');
  const code = await findCode(ctx, file, await readDocument(ctx, file));
  await checkSettings(ctx, project.id, input.settings);
  const row = await ctx.write(async (write) => {
    await lockProject(write.tx, project.id);
    const [last] = await write.tx
      .select({ number: max(strategyTests.number) })
      .from(strategyTests)
      .where(eq(strategyTests.fileId, fileId));
    const isWaiting = and(eq(strategyTests.fileId, fileId), inArray(strategyTests.state, ['queued', 'running']));
    if ((await write.tx.$count(strategyTests, isWaiting)) >= inFlight) {
      throw new AppError('too_many_requests', `${inFlight} tests of this strategy are waiting. Wait for one to end.`);
    }
    const id = newId();
    const jobId = await write.enqueue(
      testJob,
      { test_id: id },
      { key: id, ...(ctx.actor.userId ? { ownerId: ctx.actor.userId } : {}) },
    );
    const [made] = await write.tx
      .insert(strategyTests)
      .values({
        id,
        projectId: project.id,
        fileId,
        number: (last?.number ?? 0) + 1,
        kind: input.kind,
        name: input.name ?? null,
        state: 'queued',
        starterId: ctx.actor.userId,
        requestId: input.request_id,
        jobId,
        codePath: code.path,
        codeBlob: code.blob,
        parameters: input.parameters,
        settings: input.settings,
        until: endOf(ctx, input.settings),
        plan: input.plan ?? null,
        createdAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (!made) return null;
    await dropOldest(write, fileId);
    await write.emit('strategy.test_changed', eventOf(made));
    return made;
  });
  const stored = row ?? (await findByRequest(ctx, fileId, input));
  if (!stored) throw notFound('This backtest');
  return viewOne(ctx, stored);
}

/** Those without a name give way, the oldest first. */
async function dropOldest(write: Write, fileId: string): Promise<void> {
  const old = await write.tx
    .select({ id: strategyTests.id })
    .from(strategyTests)
    .where(
      and(
        eq(strategyTests.fileId, fileId),
        isNull(strategyTests.name),
        inArray(strategyTests.state, ['done', 'failed', 'canceled']),
      ),
    )
    .orderBy(desc(strategyTests.number))
    .offset(mostTestsKept);
  if (old.length === 0) return;
  await write.tx.delete(strategyTests).where(
    inArray(
      strategyTests.id,
      old.map(({ id }) => id),
    ),
  );
}

async function findByRequest(ctx: Context, fileId: string, input: NewTest): Promise<TestRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(strategyTests)
    .where(and(eq(strategyTests.fileId, fileId), eq(strategyTests.requestId, input.request_id)));
  const askedFor = ({
    kind,
    parameters,
    settings,
    plan,
  }: Pick<TestRow, 'kind' | 'parameters' | 'settings' | 'plan'>) => [kind, parameters, settings, plan];
  if (row && !isDeepStrictEqual(askedFor(row), askedFor({ ...input, plan: input.plan ?? null }))) throw requestReused();
  return row;
}

async function requireTest(
  ctx: Context,
  fileId: string,
  testId: string,
  permission: 'strategy.view' | 'strategy.test',
): Promise<TestRow> {
  await requireStrategy(ctx, fileId, permission);
  const [row] = await ctx.db
    .select()
    .from(strategyTests)
    .where(and(eq(strategyTests.id, testId), eq(strategyTests.fileId, fileId)));
  if (!row) throw notFound('This backtest');
  return row;
}

export async function getTest(ctx: Context, fileId: string, testId: string): Promise<StrategyTestDetail> {
  const row = await requireTest(ctx, fileId, testId, 'strategy.view');
  const stored = row.resultBlob ? (JSON.parse(await readText(ctx, row.resultBlob)) as StoredResult) : null;
  return {
    ...(await viewOne(ctx, row)),
    code: await readText(ctx, row.codeBlob),
    problem: stored?.problem ?? null,
    result: stored?.result ?? null,
    points: stored?.points ?? null,
    folds: stored?.folds ?? null,
    warning: stored?.warning ?? null,
  };
}

export async function nameTest(ctx: Context, fileId: string, testId: string, name: string | null) {
  await requireTest(ctx, fileId, testId, 'strategy.test');
  return viewOne(
    ctx,
    await ctx.write(async (write) => {
      const [row] = await write.tx
        .update(strategyTests)
        .set({ name: name || null })
        .where(eq(strategyTests.id, testId))
        .returning();
      if (!row) throw notFound('This backtest');
      await write.emit('strategy.test_changed', eventOf(row));
      return row;
    }),
  );
}

export async function deleteTest(ctx: Context, fileId: string, testId: string): Promise<void> {
  const row = await requireTest(ctx, fileId, testId, 'strategy.test');
  await ctx.write(async (write) => {
    if (row.jobId) await cancelJob(write.tx, ctx.now(), row.jobId, 'Deleted.');
    await write.tx.delete(strategyTests).where(eq(strategyTests.id, testId));
    await write.emit('strategy.test_changed', { ...eventOf(row), state: 'deleted' });
  });
}

export async function cancelTest(ctx: Context, fileId: string, testId: string): Promise<StrategyTestView> {
  const row = await requireTest(ctx, fileId, testId, 'strategy.test');
  const canceled = await ctx.write(async (write) => {
    const [changed] = await write.tx
      .update(strategyTests)
      .set({ state: 'canceled', reason: 'Canceled.', endedAt: ctx.now() })
      .where(and(eq(strategyTests.id, testId), inArray(strategyTests.state, ['queued', 'running'])))
      .returning();
    if (!changed) return null;
    if (row.jobId) await cancelJob(write.tx, ctx.now(), row.jobId, 'Canceled.');
    await write.emit('strategy.test_changed', eventOf(changed));
    return changed;
  });
  return viewOne(ctx, canceled ?? row);
}

const saying = (error: unknown): never => {
  if (error instanceof StrategyRefusal) throw new AppError('unprocessable_entity', error.message);
  throw error;
};

export async function verifyTest(ctx: Context, fileId: string, testId: string): Promise<StrategyTestView> {
  const row = await requireTest(ctx, fileId, testId, 'strategy.test');
  if (row.kind !== 'backtest' || row.state !== 'done')
    throw new AppError('conflict', 'Only a backtest that is done can be verified.');
  const begun = await ctx.write((write) => startVerification(write, testId, [null, 'passed', 'failed', 'skipped']));
  return viewOne(ctx, begun ?? row);
}

export async function inspectBar(ctx: Context, fileId: string, testId: string, time: number): Promise<BarInspection> {
  const row = await requireTest(ctx, fileId, testId, 'strategy.test');
  if (row.kind !== 'backtest') throw new AppError('conflict', 'Only the bars of a backtest can be looked at.');
  const { inspection } = await meteredRequest(ctx, row, inspectMs, (timeMs) =>
    inFolder(async (folder) =>
      inWorker(ctx, { kind: 'inspect', test: await taskOf(ctx, row, folder), time }, { folder, timeMs }),
    ),
  ).catch(saying);
  return snakeKeys(inspection) as BarInspection;
}
