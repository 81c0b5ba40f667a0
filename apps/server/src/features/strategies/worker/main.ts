import { intervalMs } from '@atoll/trading';
import { runBacktest } from '@atoll/trading/backtest/backtest';
import type { BacktestJob, BacktestMarket } from '@atoll/trading/backtest/job';
import { loadStrategy, StrategyError } from '@atoll/trading/backtest/load';
import { BarProblem, readBars } from './bars.ts';
import { type Answers, type FromWorker, outOfMemoryExit, type Task, type TestTask } from './messages.ts';

/** One task of one strategy, and nothing else: this process ends with it. */
const send = (message: FromWorker) => process.send?.(message);
const report = (progress: number) => send({ type: 'progress', progress });
const historyBars = 500;
const timeLimitMs = 240_000;

process.on('message', ({ task, memoryMb }: { task: Task; memoryMb: number }) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryMb * 1024 ** 2) process.exit(outOfMemoryExit);
  }, 50);
  run(task)
    .then((answer) => send({ type: 'done', answer }))
    .catch((error: unknown) => {
      if (error instanceof StrategyError || error instanceof BarProblem)
        send({ type: 'refused', problem: error.problem });
      else send({ type: 'failed', error: String((error as Error)?.stack ?? error) });
    })
    .finally(() => clearInterval(watch));
});
process.on('disconnect', () => process.exit());

async function run(task: Task): Promise<Answers[Task['kind']]> {
  switch (task.kind) {
    case 'describe':
      return describe(task.code);
    case 'backtest': {
      const outcome = runBacktest(await jobOf(task.test), report);
      return { outcome, monteCarlo: null };
    }
    default:
      throw new Error(`${task.kind} is not known`);
  }
}

function describe(code: string): Answers['describe'] {
  try {
    return { parameters: loadStrategy(code).definition.parameters ?? {}, problem: null };
  } catch (error) {
    if (!(error instanceof StrategyError)) throw error;
    return { parameters: null, problem: error.problem };
  }
}

async function jobOf(test: TestTask): Promise<BacktestJob> {
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
  const { code, parameters, interval, from, capital, fees, slippage, deposits, seed, tries, outOfSampleFrom } = test;
  return {
    ...{ code, parameters, interval, markets, capital, fees, slippage, deposits, seed, tries, timeLimitMs },
    // The first bar that opens then, wherever in a bar the period begins.
    from: Math.ceil(from / intervalMs[interval]) * intervalMs[interval],
    ...(outOfSampleFrom === null ? {} : { outOfSampleFrom }),
  };
}
