import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, flag, id, line, list, page } from '../fields.ts';
import {
  barInspection,
  newStrategyTest,
  parameterValues,
  strategyDescription,
  strategySorts,
  strategyTestDetail,
  strategyTestView,
  testSettings,
} from './entity.ts';
import {
  publishedStrategy,
  publishedStrategyDetail,
  runComparison,
  runLimits,
  strategyDecision,
  strategyRunView,
  strategySignal,
} from './runs.ts';

const about = { tag: 'Strategies', flag: 'strategies' } as const;
const view = { ...about, permission: 'strategy.view' } as const;
const test = { ...about, permission: 'strategy.test' } as const;
const run = { ...about, permission: 'strategy.run' } as const;
const ofFile = z.strictObject({ id });
const ofTest = ofFile.extend({ testId: id });
const ofRun = ofFile.extend({ runId: id });
const runChange = {
  action: z.enum(['pause', 'resume', 'stop']),
  closes_positions: z.boolean().default(false).describe('When stopped: sell what it holds'),
};
const ofPublication = z.strictObject({ id: id.describe('Of the publication') });
const ofCopy = z.strictObject({ id: id.describe('Of the portfolio'), runId: id });
const paging = { page: page(1), page_size: page(20, 100) };

export const strategiesEndpoints = {
  catalogue: endpoint('GET', '/v1/strategies', {
    ...about,
    permission: 'strategy.list',
    summary: 'Published strategies, with what they made',
  })
    .input(
      z.strictObject({
        search: line(100).optional(),
        sort_by: z.enum(strategySorts).default('published_at'),
        sort_direction: z.enum(['asc', 'desc']).default('desc'),
        asset: line(20).optional().describe('One that it trades, as `BTC`'),
        only_live: flag.default(false).describe('Its author runs it'),
        only_checked: flag.default(false).describe('Verified bar by bar'),
        ...paging,
      }),
    )
    .output(list(publishedStrategy)),

  describe: endpoint('GET', '/v1/strategies/{id}', {
    ...view,
    summary: 'What the code of a strategy declares',
    description: 'Its parameters with their ranges, or the line that cannot be read. `id` is that of the .strat file.',
  })
    .input(ofFile)
    .output(strategyDescription),

  tests: endpoint('GET', '/v1/strategies/{id}/backtests', { ...view, summary: 'Its backtests, newest first' })
    .input(ofFile.extend(paging))
    .output(list(strategyTestView)),
  startTest: endpoint('POST', '/v1/strategies/{id}/backtests', {
    ...test,
    summary: 'Start a backtest, a sweep or a walk-forward',
    description: 'Sent again with the same `request_id` it answers the first one.',
  })
    .input(newStrategyTest.extend({ id }))
    .output(strategyTestView),
  getTest: endpoint('GET', '/v1/strategies/{id}/backtests/{testId}', { ...view, summary: 'One with its result' })
    .input(ofTest)
    .output(strategyTestDetail),
  nameTest: endpoint('PATCH', '/v1/strategies/{id}/backtests/{testId}', { ...test, summary: 'Name it' })
    .input(ofTest.extend({ name: line(120).nullable() }))
    .output(strategyTestView),
  deleteTest: endpoint('DELETE', '/v1/strategies/{id}/backtests/{testId}', { ...test, summary: 'Delete it' })
    .input(ofTest)
    .output(done),
  cancelTest: endpoint('POST', '/v1/strategies/{id}/backtests/{testId}/cancel', { ...test, summary: 'Cancel it' })
    .input(ofTest)
    .output(strategyTestView),
  verifyTest: endpoint('POST', '/v1/strategies/{id}/backtests/{testId}/verify', {
    ...test,
    summary: 'Verify it bar by bar',
    description:
      'Computes it again in a process that gets each bar when it has closed, and no later one. Goes on in the background.',
  })
    .input(ofTest)
    .output(strategyTestView),
  inspectBar: endpoint('GET', '/v1/strategies/{id}/backtests/{testId}/bar', {
    ...test,
    summary: 'What the strategy saw at one bar, and why it decided what it did',
  })
    .input(ofTest.extend({ time: z.coerce.number().min(0).max(1e14).describe('Within the bar') }))
    .output(barInspection),

  runs: endpoint('GET', '/v1/strategies/{id}/runs', { ...view, summary: 'Where it runs and ran, newest first' })
    .input(ofFile)
    .output(z.object({ entries: z.array(strategyRunView) })),
  startRun: endpoint('POST', '/v1/strategies/{id}/runs', {
    ...run,
    summary: 'Run it on a connection of yours',
    description: 'Its orders go through the limits of the connection, as all orders do.',
  })
    .input(
      ofFile.extend({
        connection_id: id,
        parameters: parameterValues.default({}),
        settings: testSettings.pick({ symbols: true, timeframe: true }),
        capital: z.number().positive().max(1e12),
        limits: runLimits.default({}),
        request_id: id,
      }),
    )
    .output(strategyRunView),
  changeRun: endpoint('PATCH', '/v1/strategies/{id}/runs/{runId}', {
    ...run,
    summary: 'Pause, resume or stop a run',
  })
    .input(ofRun.extend(runChange))
    .output(strategyRunView),
  compareRun: endpoint('GET', '/v1/strategies/{id}/runs/{runId}/comparison', {
    ...run,
    summary: 'A run beside a backtest of the same code over the same time',
  })
    .input(ofRun)
    .output(runComparison),
  decisions: endpoint('GET', '/v1/strategies/{id}/runs/{runId}/decisions', {
    ...view,
    summary: 'What a run decided and why, newest first',
  })
    .input(ofRun.extend(paging))
    .output(list(strategyDecision)),

  published: endpoint('GET', '/v1/published_strategies/{id}', {
    ...about,
    permission: 'strategy.list',
    summary: 'A published strategy: returns with charts, what it holds, who follows it',
  })
    .input(ofPublication)
    .output(publishedStrategyDetail),
  follow: endpoint('PUT', '/v1/published_strategies/{id}/follow', {
    ...about,
    permission: 'strategy.follow',
    summary: 'Follow a published strategy: get each order of its live run',
  })
    .input(ofPublication)
    .output(done),
  unfollow: endpoint('DELETE', '/v1/published_strategies/{id}/follow', {
    ...about,
    permission: 'strategy.follow',
    summary: 'Stop following a published strategy',
  })
    .input(ofPublication)
    .output(done),
  signals: endpoint('GET', '/v1/published_strategies/{id}/signals', {
    ...about,
    permission: 'strategy.follow',
    summary: 'What its live run ordered, newest first',
  })
    .input(ofPublication.extend(paging))
    .output(list(strategySignal)),
  copy: endpoint('POST', '/v1/published_strategies/{id}/copies', {
    ...about,
    permission: 'strategy.copy',
    summary: 'Run it in a portfolio of yours, with your own money and limits',
    description: 'The published version, as it is now: later versions are not taken over by themselves.',
  })
    .input(
      ofPublication.extend({
        portfolio_id: id,
        connection_id: id.describe('One of the portfolio'),
        capital: z.number().positive().max(1e12),
        limits: runLimits.default({}),
        request_id: id,
      }),
    )
    .output(strategyRunView),

  copies: endpoint('GET', '/v1/portfolios/{id}/strategies', {
    ...about,
    permission: 'strategy.copy',
    summary: 'Strategies that run in a portfolio, newest first',
  })
    .input(z.strictObject({ id: id.describe('Of the portfolio') }))
    .output(z.object({ entries: z.array(strategyRunView) })),
  changeCopy: endpoint('PATCH', '/v1/portfolios/{id}/strategies/{runId}', {
    ...about,
    permission: 'strategy.copy',
    summary: 'Pause, resume or stop one',
  })
    .input(ofCopy.extend(runChange))
    .output(strategyRunView),
  copyDecisions: endpoint('GET', '/v1/portfolios/{id}/strategies/{runId}/decisions', {
    ...about,
    permission: 'strategy.copy',
    summary: 'What one decided and why, newest first',
  })
    .input(ofCopy.extend(paging))
    .output(list(strategyDecision)),
};
