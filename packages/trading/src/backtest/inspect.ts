import type { Seen } from './code/host-protocol.ts';
import { checkJob, prepare, problemOf, timeLimitOf } from './code/prepare.ts';
import { valuesOf } from './engine/frame.ts';
import { causes, fillField } from './engine/result-tables.ts';
import { Simulation } from './engine/simulation.ts';
import { timelineOf } from './engine/timeline.ts';
import { type HostedStrategy, loadHosted } from './hosts/load.ts';
import type { BacktestJob, Inspection } from './job.ts';
import { orderRecord } from './trades.ts';

/** What the strategy saw and did at a bar of a backtest, counted from the first bar of the data. */
export function inspect(job: BacktestJob, bar: number): Inspection {
  checkJob(job);
  const strategy = loadHosted(job.code, job.hosts);
  try {
    return inspectBar(job, strategy, bar);
  } finally {
    strategy.end();
  }
}

function inspectBar(job: BacktestJob, strategy: HostedStrategy, bar: number): Inspection {
  const setup = prepare(job, strategy);
  let simulation: Simulation | null = null;
  let seen: Seen | null = null;
  let problem: Inspection['problem'] = null;
  const end = Math.min(Math.max(Math.floor(bar), 0) + 1, timelineOf(job.markets).length);
  const drive = strategy.drive({
    ...{ wants: 'seen', end },
    onSeen: (each) => {
      seen = each;
    },
  });
  try {
    return strategy.guard(() => {
      try {
        simulation = new Simulation({ ...setup, drive, recordFrom: bar });
        simulation.run(end);
      } catch (error) {
        problem = problemOf(error, null).problem;
      }
      return describeBar(job, simulation, { bar, seen, problem });
    }, timeLimitOf(job));
  } catch (error) {
    return describeBar(job, null, { bar, seen: null, problem: problemOf(error, null).problem });
  }
}

function describeBar(
  job: BacktestJob,
  ran: Simulation | null,
  { bar, seen, problem }: { bar: number; seen: Seen | null; problem: Inspection['problem'] },
): Inspection {
  if (!ran || ran.step < 0) {
    return {
      ...{ bar, time: 0, markets: [], equity: job.capital, cash: job.capital, fills: [], decisions: [], logs: [] },
      ...{ state: {}, problem },
    };
  }
  const { step, fills } = ran;
  const markets = ran.books.map((book, index): Inspection['markets'][number] => {
    const { frame, market } = book;
    const at = (values: Float64Array) => values[frame.row] ?? Number.NaN;
    const shown = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
    const told = seen?.lines.flatMap(({ market: of, ...line }) => (of === index ? line : []));
    const indicators =
      told ??
      [frame, ...book.longer.map((each) => each.frame)].flatMap((each) =>
        each.lines.map((line) => ({
          ...{ name: line.name, interval: each.interval },
          value: shown(valuesOf(line)[each.row]),
          previous: shown(valuesOf(line)[each.row - 1]),
        })),
      );
    const { open, high, low, close, volume } = frame.columns;
    return {
      ...{ symbol: market.symbol, open: at(open), high: at(high), low: at(low), close: at(close), volume: at(volume) },
      ...{ isFresh: frame.isFresh, position: book.position, entryPrice: book.entryPrice, indicators },
      openOrders: [...book.resting, ...book.atMarket].map((order) => orderRecord(ran, order)),
    };
  });
  const filled: Inspection['fills'] = [];
  for (let row = fills.count - 1; row >= 0 && fills.get(row, fillField.step) === step; row--) {
    const get = (field: keyof typeof fillField) => fills.get(row, fillField[field]);
    filled.unshift({
      symbol: ran.books[get('market')]?.market.symbol ?? '',
      ...{ order: get('order'), side: get('isBuy') ? 'buy' : 'sell', amount: get('amount'), price: get('price') },
      ...{ fee: get('fee'), cause: causes[get('cause') as 0 | 1 | 2 | 3] },
    });
  }
  return {
    ...{ bar: step, time: ran.times[step] as number, markets, equity: ran.equityNow(), cash: ran.cash, fills: filled },
    decisions: ran.records.filter((order) => order.step === step).map((order) => orderRecord(ran, order)),
    logs: ran.logs.filter((log) => log.step === step).map(({ text }) => text),
    ...{ state: seen?.state ?? (JSON.parse(JSON.stringify(ran.state)) as Record<string, unknown>), problem },
  };
}
