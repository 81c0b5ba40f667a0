import type { Context } from '../../platform/context.ts';
import { done, endpoints } from '../../platform/http/implement.ts';
import { requirePortfolio } from '../portfolios/service/portfolios.ts';
import { listPublished } from './service/catalogue.ts';
import { changeRun } from './service/change-run.ts';
import { compareRun } from './service/comparison.ts';
import { copyStrategy } from './service/copies.ts';
import { requireStrategy } from './service/document.ts';
import { follow, getPublished, listSignals, unfollow } from './service/published.ts';
import { listCopies, listDecisions, listRuns, requireRun, startRun } from './service/runs.ts';
import {
  cancelTest,
  deleteTest,
  describeStrategy,
  getTest,
  inspectBar,
  listTests,
  nameTest,
  startTest,
  verifyTest,
} from './service/tests.ts';

const { strategies } = endpoints;

export const strategiesRoutes = {
  catalogue: strategies.catalogue.handler(({ context, input }) => listPublished(context, input)),
  describe: strategies.describe.handler(({ context, input }) => describeStrategy(context, input.id)),
  tests: strategies.tests.handler(({ context, input: { id, page, page_size } }) =>
    listTests(context, id, page, page_size),
  ),
  startTest: strategies.startTest.handler(({ context, input: { id, ...input } }) => startTest(context, id, input)),
  getTest: strategies.getTest.handler(({ context, input }) => getTest(context, input.id, input.testId)),
  nameTest: strategies.nameTest.handler(({ context, input }) => nameTest(context, input.id, input.testId, input.name)),
  deleteTest: strategies.deleteTest.handler(({ context, input }) => done(deleteTest(context, input.id, input.testId))),
  cancelTest: strategies.cancelTest.handler(({ context, input }) => cancelTest(context, input.id, input.testId)),
  verifyTest: strategies.verifyTest.handler(({ context, input }) => verifyTest(context, input.id, input.testId)),
  inspectBar: strategies.inspectBar.handler(({ context, input }) =>
    inspectBar(context, input.id, input.testId, input.time),
  ),
  runs: strategies.runs.handler(async ({ context, input }) => ({ entries: await listRuns(context, input.id) })),
  startRun: strategies.startRun.handler(({ context, input: { id, ...input } }) => startRun(context, id, input)),
  changeRun: strategies.changeRun.handler(async ({ context, input: { id, runId, ...change } }) =>
    changeRun(context, await runOf(context, id, runId), change),
  ),
  compareRun: strategies.compareRun.handler(async ({ context, input }) =>
    compareRun(context, await runOf(context, input.id, input.runId)),
  ),
  decisions: strategies.decisions.handler(async ({ context, input: { id, runId, page, page_size } }) => {
    await requireStrategy(context, id, 'strategy.view');
    return listDecisions(context, await requireRun(context, { fileId: id }, runId), page, page_size);
  }),

  published: strategies.published.handler(({ context, input }) => getPublished(context, input.id)),
  follow: strategies.follow.handler(({ context, input }) => done(follow(context, input.id))),
  unfollow: strategies.unfollow.handler(({ context, input }) => done(unfollow(context, input.id))),
  signals: strategies.signals.handler(({ context, input: { id, page, page_size } }) =>
    listSignals(context, id, page, page_size),
  ),
  copy: strategies.copy.handler(({ context, input: { id, ...input } }) => copyStrategy(context, id, input)),
  copies: strategies.copies.handler(async ({ context, input }) => {
    await requirePortfolio(context, input.id, 'portfolio.view');
    return { entries: await listCopies(context, input.id) };
  }),
  changeCopy: strategies.changeCopy.handler(async ({ context, input: { id, runId, ...change } }) =>
    changeRun(context, await copyOf(context, id, runId, 'portfolio.trade'), change),
  ),
  copyDecisions: strategies.copyDecisions.handler(async ({ context, input: { id, runId, page, page_size } }) =>
    listDecisions(context, await copyOf(context, id, runId, 'portfolio.view'), page, page_size),
  ),
};

async function runOf(ctx: Context, fileId: string, runId: string) {
  await requireStrategy(ctx, fileId, 'strategy.run');
  return requireRun(ctx, { fileId }, runId);
}

async function copyOf(
  ctx: Context,
  portfolioId: string,
  runId: string,
  permission: 'portfolio.view' | 'portfolio.trade',
) {
  await requirePortfolio(ctx, portfolioId, permission);
  return requireRun(ctx, { portfolioId }, runId);
}
