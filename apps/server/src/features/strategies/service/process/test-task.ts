import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepPoints } from '@atoll/trading/backtest/tries/sweep';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { strategyTests, type TestRow } from '../../table.ts';
import type { TestTask } from '../../worker/messages.ts';
import { languageOf, readText } from '../document.ts';
import { prepareTask } from './task.ts';

/** A folder for one task, which only its process sees. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'strategy-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const eventOf = (row: TestRow) => ({
  test_id: row.id,
  project_id: row.projectId,
  file_id: row.fileId,
  state: row.state,
});

/** How many parameter sets a test tried. */
const setsOf = ({ plan, parameters }: Pick<TestRow, 'plan' | 'parameters'>) =>
  plan ? sweepPoints(plan.ranges, plan.constraints, parameters).length : 1;

/** All that a stored test is made of. */
export async function taskOf(
  ctx: Context,
  row: TestRow,
  folder: string,
  onProgress?: (share: number) => void,
): Promise<TestTask> {
  const code = await readText(ctx, row.codeBlob);
  const done = await ctx.db
    .select({ plan: strategyTests.plan, parameters: strategyTests.parameters })
    .from(strategyTests)
    .where(and(eq(strategyTests.fileId, row.fileId), eq(strategyTests.state, 'done')));
  const { projectId, parameters, settings, until } = row;
  // Of a test that is done the tries are those of then: it must come out the same.
  const tries = row.tries ?? done.reduce((sum, each) => sum + setsOf(each), 1);
  const language = languageOf(row.codePath);
  return prepareTask(ctx, { projectId, code, language, parameters, settings, until, tries }, folder, onProgress);
}
