import type { BacktestResult, TestPlan } from '@atoll/contract';
import { intervalMs } from '@atoll/trading';
import { runBacktest } from '@atoll/trading/backtest/backtest';
import { StrategyError } from '@atoll/trading/backtest/code/load';
import { timelineOf } from '@atoll/trading/backtest/engine/timeline';
import type { Hosts } from '@atoll/trading/backtest/hosts/host';
import { openHosts } from '@atoll/trading/backtest/hosts/launch';
import { loadHosted } from '@atoll/trading/backtest/hosts/load';
import { inspect } from '@atoll/trading/backtest/inspect';
import type { BacktestJob, BacktestMarket, BacktestOutcome } from '@atoll/trading/backtest/job';
import { LiveStrategy } from '@atoll/trading/backtest/live/live';
import type { LiveAnswer } from '@atoll/trading/backtest/live/live-types';
import { monteCarlo, tradeReturns } from '@atoll/trading/backtest/tries/monte-carlo';
import { runSweep } from '@atoll/trading/backtest/tries/sweep';
import { walkForward } from '@atoll/trading/backtest/tries/walk-forward';
import { verify } from '@atoll/trading/backtest/verify';
import { BarProblem } from './bar-table.ts';
import { readBars } from './bars.ts';
import { cpuLimitMs, mostBars, verifyCpuMs } from './limits.ts';
import { readLines } from './lines.ts';
import type { Answers, FromWorker, Task, TestTask, ToWorker } from './messages.ts';

/** One task of one strategy, and nothing else: this process ends with it. */
const send = (message: FromWorker) => void process.stdout.write(`${JSON.stringify(message)}\n`);
const report = (progress: number) => send({ type: 'progress', progress });
const historyBars = 500;
const barLimitMs = 5_000;

/** The task is a line; when its sender is gone, nobody waits for the answer. */
readLines(process.stdin, Number.POSITIVE_INFINITY, {
  onLine(line) {
    const { task, hosts } = JSON.parse(line) as ToWorker;
    run(task, hosts && openHosts(hosts.language, hosts.folder, hosts.names, hosts.cpuSeconds))
      .then((answer) => send({ type: 'done', answer }))
      .catch((error: unknown) => {
        if (error instanceof StrategyError || error instanceof BarProblem)
          send({ type: 'refused', problem: error.problem });
        else send({ type: 'failed', error: String((error as Error)?.stack ?? error) });
      });
  },
});
process.stdin.on('end', () => process.exit());

async function run(task: Task, given: Hosts | null): Promise<Answers[Task['kind']]> {
  if (task.kind === 'advance') return advance(task, given);
  // People's code never runs here, where it is judged.
  if (!given) throw new Error('There is no process for the strategy');
  switch (task.kind) {
    case 'describe':
      return describe(task.code, given);
    case 'backtest': {
      const outcome = runBacktest({ ...(await jobOf(task.test)), hosts: given }, report);
      return { outcome, monteCarlo: drawn(outcome, task.test) };
    }
    case 'verify':
      return verify({ ...(await jobOf(task.test)), hosts: given, timeLimitMs: verifyCpuMs }, report);
    case 'inspect': {
      const job = { ...(await jobOf(task.test)), hosts: given };
      const bar = timelineOf(job.markets).findLastIndex((time) => time <= task.time);
      return { inspection: inspect(job, bar) };
    }
    case 'sweep':
      return {
        points: runSweep(
          { ...(await jobOf(task.test)), hosts: given, ranges: task.plan.ranges, constraints: task.plan.constraints },
          report,
          task.part,
        ),
      };
    case 'walk_forward':
      return walked({ ...(await jobOf(task.test)), hosts: given }, task.test, task.plan);
  }
}

function drawn({ trades }: BacktestOutcome, { capital, seed }: TestTask): BacktestResult['monte_carlo'] {
  const outcome = monteCarlo(tradeReturns(capital, trades), seed);
  if (!outcome) return null;
  const at = (values: { share: number; value: number }[]) => {
    const of = (share: number) => values.find((each) => each.share === share)?.value ?? 0;
    return { p5: of(0.05), p50: of(0.5), p95: of(0.95) };
  };
  const { runs, totalReturn, maxDrawdown, lossShare } = outcome;
  return { runs, total_return: at(totalReturn), max_drawdown: at(maxDrawdown), loss_probability: lossShare };
}

const usualFolds = 6;

/** Each part is tested with what was best on the two parts before it. */
function walked(job: BacktestJob, test: TestTask, plan: TestPlan): Answers['walk_forward'] {
  const folds = plan.folds ?? usualFolds;
  const length = intervalMs[test.interval];
  const lastCloses = job.markets.map(({ columns }) => (columns.time.at(-1) ?? 0) + length);
  const bars = (Math.min(test.until, Math.max(...lastCloses)) - (job.from ?? test.from)) / length;
  const part = Math.max(1, Math.floor(bars / (folds + 2)));
  const { windows, totalReturn, perTest } = walkForward(
    { ...job, ranges: plan.ranges, constraints: plan.constraints },
    { train: 2 * part, test: part, choose: 'sharpe' },
    report,
  );
  const value = (number: number | null | undefined) => ({
    value: number ?? null,
    reason: typeof number === 'number' ? null : 'too few trades or days',
  });
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return {
    folds: windows.map(({ trainFrom, testFrom, testTo, parameters, train, test: tested }) => ({
      from: trainFrom,
      split: testFrom,
      to: testTo,
      parameters: parameters ?? {},
      in_sample: value(train?.totalReturn),
      out_of_sample: value(tested?.totalReturn),
      trades: tested?.trades ?? 0,
    })),
    warning:
      totalReturn === null
        ? 'In no part could the combinations be told apart by their Sharpe: there were too few days or trades. Choose a longer time, fewer parts or other values.'
        : `Out of sample it made ${percent(totalReturn)} in all${
            perTest === null
              ? '.'
              : `: ${percent(perTest.test)} in a part on average, and ${percent(perTest.train)} in as many of the bars it was chosen on.`
          }`,
  };
}

async function advance(task: Extract<Task, { kind: 'advance' }>, hosts: Hosts | null): Promise<Answers['advance']> {
  const { runId, state, bars, fills, ended } = task;
  const live = new LiveStrategy({ ...(await jobOf(task.test)), hosts, runId, timeLimitMs: barLimitMs }, state);
  const answer: LiveAnswer = { decisions: [], logs: [], revisions: [] };
  for (const fill of fills) answer.decisions.push(...live.onFill(fill));
  for (const id of ended) answer.decisions.push(...live.onEnd(id));
  for (const time of [...new Set(bars.map((bar) => bar.time))].sort((a, b) => a - b)) {
    const { decisions, logs, revisions } = live.onBars(bars.filter((bar) => bar.time === time));
    answer.decisions.push(...decisions);
    answer.logs.push(...logs);
    answer.revisions.push(...revisions);
  }
  return { answer, state: live.save() };
}

function describe(code: string, hosts: Hosts): Answers['describe'] {
  try {
    const strategy = loadHosted(code, hosts);
    strategy.end();
    return { parameters: strategy.declared.parameters, problem: null };
  } catch (error) {
    if (!(error instanceof StrategyError)) throw error;
    return { parameters: null, problem: error.problem };
  }
}

async function jobOf(test: TestTask): Promise<Omit<BacktestJob, 'hosts'>> {
  const markets: BacktestMarket[] = [];
  for (const { bars, finer, ...market } of test.markets) {
    const { from, until } = test;
    const columns = await readBars(bars, {
      ...{ symbol: market.symbol, interval: test.interval, from, until },
      history: historyBars,
    });
    const shorter = finer && {
      interval: finer.interval,
      columns: await readBars(finer.bars, {
        ...{ symbol: market.symbol, interval: finer.interval, from, until, history: 0 },
      }),
    };
    markets.push({ ...market, columns, ...(shorter ? { finer: shorter } : {}) });
  }
  const rows = markets.reduce((sum, { columns }) => sum + columns.time.length, 0);
  if (rows > mostBars)
    throw new BarProblem(`The file has ${rows} bars; at most ${mostBars} can be tested at once. Choose dates.`);
  const timeLimitMs = cpuLimitMs(rows);
  const firstBar = Math.min(...markets.map(({ columns }) => columns.time[0] ?? 0));
  const { code, parameters, interval, from, capital, fees, slippage, deposits, seed, tries, outOfSampleFrom } = test;
  return {
    ...{ code, parameters, interval, markets, capital, fees, slippage, deposits, seed, tries, timeLimitMs },
    // The first bar that opens then, wherever in a bar the period begins.
    from: Math.ceil(Math.max(from, firstBar) / intervalMs[interval]) * intervalMs[interval],
    ...(outOfSampleFrom === null ? {} : { outOfSampleFrom }),
  };
}
