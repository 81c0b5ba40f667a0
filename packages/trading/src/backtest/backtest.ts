import { type Apart, lookAheadCheck, warmUpCheck } from './checks.ts';
import { StrategyError } from './code/load.ts';
import { checkJob, prepare, problemOf, timeLimitOf } from './code/prepare.ts';
import { rowAt } from './engine/columns.ts';
import { Simulation } from './engine/simulation.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type HostedStrategy, loadHosted } from './hosts/load.ts';
import type { BacktestJob, BacktestOutcome, Check } from './job.ts';
import { distributionOf, monthlyReturns, seriesOf, summaryOf } from './outcome.ts';
import { orderRecord, tradeShares, tradesOf } from './trades.ts';

const unchecked: Check = { state: 'skipped', runs: 0, message: 'Not asked for', at: null };
const emptyOutcome = (job: BacktestJob): BacktestOutcome => ({
  ...{ state: 'failed', problem: null, parameters: job.parameters, declared: {} },
  ...{ summary: null, inSample: null, outOfSample: null },
  series: { time: [], equity: [], drawdown: [], benchmark: [] },
  ...{ trades: [], tradeCount: 0, orders: [], orderCount: 0, rejectedCount: 0, monthly: [], distribution: [] },
  ...{ ambiguousBars: 0, decidedByFinerBars: 0, checks: { lookAhead: unchecked, warmUp: unchecked } },
  ...{ data: [], logs: [], droppedLogs: 0, fingerprint: null },
});

/**
 * A whole backtest: the job is checked, the strategy run over all bars, tested for looking ahead and for its warm-up, and
 * measured. Bad input and a strategy that fails are outcomes, not exceptions.
 */
export function runBacktest(job: BacktestJob, onProgress?: (share: number) => void): BacktestOutcome {
  const outcome = emptyOutcome(job);
  let strategy: HostedStrategy | null = null;
  try {
    outcome.data = checkJob(job);
    strategy = loadHosted(job.code, job.hosts);
    return judge(job, strategy, outcome, onProgress);
  } catch (error) {
    return { ...outcome, problem: problemOf(error, null).problem };
  } finally {
    strategy?.end();
  }
}

function judge(
  job: BacktestJob,
  strategy: HostedStrategy,
  outcome: BacktestOutcome,
  onProgress?: (share: number) => void,
): BacktestOutcome {
  const setup = prepare(job, strategy);
  outcome.parameters = setup.parameters;
  outcome.declared = strategy.declared.parameters;
  const limitMs = timeLimitOf(job);
  const progress = onProgress && ((share: number) => onProgress(share * (job.isUnchecked ? 1 : 0.3)));
  let simulation: Simulation | null = null;
  let exposure = { sum: 0, bars: 0 };
  let mark = Number.POSITIVE_INFINITY;
  try {
    strategy.guard(() => {
      const wants = job.isUnchecked ? null : 'columns';
      simulation = new Simulation({ ...setup, drive: strategy.drive({ wants, end: null }) });
      mark = job.outOfSampleFrom === undefined ? mark : rowAt(simulation.times, job.outOfSampleFrom);
      if (mark > simulation.first && mark < simulation.times.length) {
        simulation.run(mark, progress);
        exposure = simulation.exposure();
      } else mark = Number.POSITIVE_INFINITY;
      simulation.run(undefined, progress);
    }, limitMs);
    const ran = simulation as Simulation | null;
    if (ran && !job.isUnchecked) {
      const apart: Apart = (work) => strategy.apart(work, limitMs);
      outcome.checks.lookAhead = lookAheadCheck(ran, apart, (share) => onProgress?.(0.3 + 0.6 * share));
      outcome.checks.warmUp = warmUpCheck(ran, apart);
    }
    outcome.state = 'finished';
  } catch (error) {
    const ran = simulation as Simulation | null;
    outcome.problem = problemOf(error, ran && ran.step >= 0 ? (ran.times[ran.step] as number) : null).problem;
  }
  if (simulation) describe(job, outcome, simulation, mark, exposure);
  if (simulation && outcome.state === 'finished')
    outcome.fingerprint = fingerprintOf(job, strategy.version, outcome.parameters, simulation);
  onProgress?.(1);
  return outcome;
}

function describe(
  job: BacktestJob,
  outcome: BacktestOutcome,
  simulation: Simulation,
  mark: number,
  before: { sum: number; bars: number },
): void {
  const { first, step } = simulation;
  const end = step + 1;
  const tries = job.tries ?? 1;
  if (end > first) {
    const all = simulation.exposure();
    const whole = summaryOf(simulation, first, end, all, tries);
    outcome.summary = whole.summary;
    outcome.monthly = monthlyReturns(job.capital, whole.days);
    if (mark < end) {
      const after = { sum: all.sum - before.sum, bars: all.bars - before.bars };
      outcome.inSample = summaryOf(simulation, first, mark, before, tries).summary;
      outcome.outOfSample = summaryOf(simulation, mark, end, after, 1).summary;
    }
    outcome.series = seriesOf(simulation);
  } else if (!outcome.problem) {
    const message = `There are ${simulation.times.length} bars; the strategy warms up for ${simulation.setup.warmUp}`;
    outcome.problem = new StrategyError({ code: 'data', message, at: null, line: null }).problem;
    outcome.state = 'failed';
  }
  outcome.trades = tradesOf(simulation);
  outcome.tradeCount = simulation.trades.count + simulation.books.reduce((total, book) => total + book.lots.length, 0);
  outcome.distribution = distributionOf(tradeShares(simulation));
  outcome.orders = simulation.records.map((order) => orderRecord(simulation, order));
  outcome.orderCount = simulation.orderCount;
  outcome.rejectedCount = simulation.rejectedCount;
  outcome.ambiguousBars = simulation.ambiguousBars;
  outcome.decidedByFinerBars = simulation.decidedByFinerBars;
  outcome.logs = simulation.logs.map(({ step: at, text }) => ({ time: simulation.times[at] ?? 0, text }));
  outcome.droppedLogs = simulation.droppedLogs;
}
