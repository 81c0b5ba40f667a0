import { endpoints, ok } from '../../platform/http/implement.ts';
import { closePositions } from './service/advance.ts';
import { listPublished } from './service/catalogue.ts';
import { changeRun, listDecisions, listRuns, startRun } from './service/runs.ts';
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
  deleteTest: strategies.deleteTest.handler(async ({ context, input }) => {
    await deleteTest(context, input.id, input.testId);
    return ok;
  }),
  cancelTest: strategies.cancelTest.handler(({ context, input }) => cancelTest(context, input.id, input.testId)),
  verifyTest: strategies.verifyTest.handler(({ context, input }) => verifyTest(context, input.id, input.testId)),
  inspectBar: strategies.inspectBar.handler(({ context, input }) =>
    inspectBar(context, input.id, input.testId, input.time),
  ),
  runs: strategies.runs.handler(async ({ context, input }) => ({ entries: await listRuns(context, input.id) })),
  startRun: strategies.startRun.handler(({ context, input: { id, ...input } }) => startRun(context, id, input)),
  changeRun: strategies.changeRun.handler(({ context, input }) =>
    changeRun(context, input.id, input.runId, input.action, input.closes_positions, closePositions),
  ),
  decisions: strategies.decisions.handler(({ context, input: { id, runId, page, page_size } }) =>
    listDecisions(context, id, runId, page, page_size),
  ),
};
