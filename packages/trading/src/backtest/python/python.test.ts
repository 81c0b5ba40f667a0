import { describe, expect, it } from 'vitest';
import { aggregate, sliceCandles } from '../../candles.ts';
import { demoAssets, demoMarkets } from '../../demo/markets.ts';
import { demoPrices } from '../../demo/prices.ts';
import { runBacktest } from '../backtest.ts';
import { rulesOf } from '../engine/rules.ts';
import { localHosts } from '../hosts/testing.ts';
import { inspect } from '../inspect.ts';
import type { BacktestJob, BacktestOutcome } from '../job.ts';
import { LiveStrategy } from '../live/live.ts';
import type { Decision, LiveBar, LiveJob } from '../live/live-types.ts';
import { type StrategyTemplate, strategyTemplates } from '../templates/index.ts';
import { jobOf, marketOf, onBar, start, wandering } from '../testing.ts';
import { runSweep } from '../tries/sweep.ts';
import { walkForward } from '../tries/walk-forward.ts';
import { verify } from '../verify.ts';
import { hour, python, strategyOf, usePython } from './test-strategies.ts';

usePython();

const costs = { fees: { maker: 0.001, taker: 0.002 }, slippage: 0.0005 };
/** All that came of a run, but for the language. */
const resultOf = ({ orders, trades, series, logs, summary, checks, ...outcome }: BacktestOutcome) => ({
  ...{ problem: outcome.problem, orders, trades, series, logs, summary, checks, result: outcome.fingerprint?.result },
});
const both = (typescript: string, inPython: string, job: Omit<BacktestJob, 'code'>) => {
  const [one, other] = [
    runBacktest({ ...job, code: typescript }),
    runBacktest({ ...job, code: inPython, hosts: python }),
  ];
  expect(resultOf(other)).toEqual(resultOf(one));
  return other;
};

function templateJob({ interval, assets }: StrategyTemplate): Omit<BacktestJob, 'code'> {
  const prices = demoPrices(1);
  const from = Date.UTC(2025, 0, 1) / 60_000;
  const markets = assets.map((name) => {
    const asset = demoAssets.find((each) => each.asset === name);
    const market = demoMarkets.find((each) => each.base === name);
    if (!asset || !market) throw new Error(`The demo has no ${name}`);
    const columns = aggregate(prices.minutes(asset, from, 120 * 1_440), interval);
    return { symbol: market.symbol, base: name, quote: market.quote, rules: rulesOf(market), columns };
  });
  return { parameters: {}, interval, markets, capital: 10_000, ...costs, seed: 1, hosts: localHosts() };
}

describe('the same decisions in both languages come to the same orders, fills and equity, to the bit', () => {
  it.each(strategyTemplates.map((template) => [template.id, template] as const))('%s', (_, template) => {
    const job = templateJob(template);
    const outcome = both(template.code, template.python, job);
    const { check } = verify({ ...job, code: template.python, hosts: python });
    expect(check).toMatchObject({ state: 'passed', runs: expect.any(Number) });
    expect(outcome.tradeCount).toBeGreaterThan(3);
    expect(outcome.checks).toMatchObject({ lookAhead: { state: 'passed' }, warmUp: { state: 'passed', runs: 2 } });
    expect(outcome.fingerprint?.engine).toMatch(
      /^atoll-backtest-2 python 3\.\d+\.\d+ numpy \d+\.\d+\.\d+ pandas \d+\.\d+/,
    );
  });

  const markets = [
    marketOf(wandering(800, 1), 'BTC', { amountStep: 0.001, priceTick: 0.01 }),
    // With gaps, and a market that begins later.
    marketOf(
      thinned(wandering(800, 2), (row) => row % 7 !== 3),
      'ETH',
      { amountStep: 0.01, minNotional: 5 },
    ),
    marketOf(
      thinned(wandering(800, 3), (row) => row > 100),
      'SOL',
    ),
  ];
  const cases: [string, string, string, string?][] = [
    [
      'chance, logs and the clock',
      `export default strategy({ start(context) { const { market, random, log } = context; return { onBar() {
        if (random() < 0.05) { market.buy({ percent: 10 }); log(market.count + ' ' + context.equity + ' ' + context.cash + ' ' + context.now); }
        else if (random() > 0.97) market.closePosition('chance');
      } }; } });`,
      'if self.random() < 0.05:\n    market.buy(percent=10)\n    self.log(f"{bar} {js(self.equity)} {js(self.cash)} {js(self.now)}")\nelif self.random() > 0.97:\n    market.close_position("chance")',
      '# As JavaScript writes numbers.\njs = lambda n: repr(float(n)).removesuffix(".0")',
    ],
    [
      'orders of every kind',
      `if (bar % 40 === 5) market.buy({ quote: 120, limit: market.close() * 0.99, stop: market.low(3) * 0.9, takeProfit: market.close() * 1.02, goodForBars: 12, reason: 'dip' });
       if (bar % 40 === 9) market.buy({ amount: 0.5, trigger: market.close() * 1.005, reason: 'rise' });
       if (bar % 40 === 20 && market.position > 0) market.sell({ percent: 50, trigger: market.close() * 0.995, limit: market.close() * 0.98 });
       if (bar % 40 === 30) market.protect({ stop: market.close() * 0.97, takeProfit: null });
       if (bar % 160 === 39) market.cancel();
       if (market.barsHeld > 60) market.closePosition('old');`,
      `if bar % 40 == 5:
    market.buy(quote=120, limit=market.close() * 0.99, stop=market.low(3) * 0.9, take_profit=market.close() * 1.02, good_for_bars=12, reason="dip")
if bar % 40 == 9:
    market.buy(amount=0.5, trigger=market.close() * 1.005, reason="rise")
if bar % 40 == 20 and market.position > 0:
    market.sell(percent=50, trigger=market.close() * 0.995, limit=market.close() * 0.98)
if bar % 40 == 30:
    market.protect(stop=market.close() * 0.97, take_profit=None)
if bar % 160 == 39:
    market.cancel()
if market.bars_held > 60:
    market.close_position("old")`,
    ],
    [
      'fills that are told, and longer bars',
      `const day = market.timeframe('1d'); if (day.isFresh && day.close() > day.open()) market.buy({ percent: 30, stop: day.low(), reason: String(day.count) }); else if (day.isFresh) market.closePosition()`,
      `day = market.timeframe("1d")
if day.is_fresh and day.close() > day.open():
    market.buy(percent=30, stop=day.low(), reason=str(day.count))
elif day.is_fresh:
    market.close_position()`,
    ],
    [
      'several markets with gaps',
      `for (const each of markets) { if (each.isFresh && each.close() < each.close(5)) each.buy({ percent: 5 }); else if (each.position > 0 && each.close() > each.entryPrice * 1.03) each.closePosition('won') }
       if (bar % 100 === 0) weights({ BTC: 0.3, 'ETH/USDT': 0.2 }, { drift: 0.01 })`,
      `for each in markets:
    if each.is_fresh and each.close() < each.close(5):
        each.buy(percent=5)
    elif each.position > 0 and each.close() > each.entry_price * 1.03:
        each.close_position("won")
if bar % 100 == 0:
    self.weights({"BTC": 0.3, "ETH/USDT": 0.2}, drift=0.01)`,
    ],
  ];
  it.each(cases)('%s', (name, typescript, inPython, helpers) => {
    const code = helpers
      ? strategyOf(inPython).replace('class Mine', `${helpers}\n\nclass Mine`)
      : strategyOf(inPython);
    const used = name.startsWith('several') ? markets : markets.slice(0, 1);
    const deposits = [
      { at: start + 200 * hour, amount: 500 },
      { at: start + 400 * hour + 1, amount: -100 },
    ];
    const more = {
      capital: 1_000,
      ...costs,
      deposits,
      isUnchecked: false,
      seed: 7,
      outOfSampleFrom: start + 600 * hour,
    };
    const outcome = both(typescript.startsWith('export') ? typescript : onBar(typescript), code, jobOf('', used, more));
    expect(outcome.problem).toBeNull();
    expect(outcome.tradeCount).toBeGreaterThan(5);
    const { check } = verify({ ...jobOf(code, used, more), hosts: python });
    expect(check).toMatchObject({ state: 'passed', runs: expect.any(Number) });
  });

  it('with orders that are made when something was filled', () => {
    const typescript = `export default strategy({ start({ market, log }) { return {
      onBar() { if (market.count % 50 === 1 && market.position === 0) market.buy({ percent: 50 }); },
      onFill(fill) { log(fill.side + ' ' + fill.order + ' ' + (fill.market === market)); if (fill.side === 'buy') market.sell({ amount: fill.amount, limit: fill.price * 1.01 }); },
    }; } });`;
    const inPython = `from atoll_strategy import Strategy

class Mine(Strategy):
    def on_bar(self):
        if self.market.count % 50 == 1 and self.market.position == 0:
            self.market.buy(percent=50)

    def on_fill(self, fill):
        self.log(f"{fill.side} {fill.order} {str(fill.market is self.market).lower()}")
        if fill.side == "buy":
            self.market.sell(amount=fill.amount, limit=fill.price * 1.01)
`;
    expect(both(typescript, inPython, jobOf('', markets.slice(0, 1))).tradeCount).toBeGreaterThan(3);
  });

  it('with every indicator, and columns of its own with numpy', () => {
    const names = ['sma 9', 'ema 9', 'rsi 9', 'deviation 9', 'highest 9', 'lowest 9', 'momentum 9', 'atr 9'];
    const code = strategyOf(
      'pass',
      `def start(self):
    m = self.market
    m.sma(9), m.ema(9), m.rsi(9), m.standard_deviation(9), m.highest(9), m.lowest(9), m.momentum(9), m.atr(9)
    m.bollinger(9, 2.5).upper, m.macd(3, 6, 4).histogram, m.donchian(9).middle, m.ema(4, m.rsi(9)), m.sma(5, "volume")
    mine = m.column("mine", lambda c: np.concatenate([[np.nan], np.diff(c.close)]))
    m.sma(3, mine)`,
    ).replace('class Mine', 'import numpy as np\n\nclass Mine');
    const typescript = onBar(
      '',
      `market.sma(9); market.ema(9); market.rsi(9); market.standardDeviation(9); market.highest(9); market.lowest(9); market.momentum(9); market.atr(9);
      market.bollinger(9, 2.5); market.macd(3, 6, 4); market.donchian(9); market.ema(4, market.rsi(9)); market.sma(5, 'volume');
      market.sma(3, market.column('mine', ({ close }) => close.map((value, row) => row === 0 ? NaN : value - close[row - 1])));`,
    );
    const at = (job: BacktestJob) => inspect(job, 300).markets[0]?.indicators;
    const found = at({ ...jobOf(code, markets.slice(0, 1)), hosts: python });
    expect(found).toEqual(at(jobOf(typescript, markets.slice(0, 1))));
    expect(found?.map(({ name }) => name)).toEqual(expect.arrayContaining([...names, 'mine', 'sma 3 of mine']));
  });
});

function thinned(columns: ReturnType<typeof wandering>, keeps: (row: number) => boolean) {
  const of = (values: Float64Array) => values.filter((_, row) => keeps(row));
  const { time, open, high, low, close: last, volume } = columns;
  return { time: of(time), open: of(open), high: of(high), low: of(low), close: of(last), volume: of(volume) };
}

describe('with a strategy in Python', () => {
  const [cross] = strategyTemplates as [StrategyTemplate];
  const market = marketOf(wandering(600, 3), 'BTC', { amountStep: 0.0001 });

  it('a sweep and a walk-forward come to the same points', () => {
    const job = { ...jobOf('', [market]), ranges: { fast: [5, 10, 250], slow: [20, 40] } };
    const points = runSweep({ ...job, code: cross.python, hosts: python });
    expect(points).toEqual(runSweep({ ...job, code: cross.code }));
    expect(points.map(({ problem }) => problem?.message ?? null)).toContain('fast must be at most 200');
    const options = { train: 200, test: 100, choose: 'totalReturn' } as const;
    const ranges = { fast: [5, 10], slow: [20] };
    expect(walkForward({ ...job, ranges, code: cross.python, hosts: python }, options)).toEqual(
      walkForward({ ...job, ranges, code: cross.code }, options),
    );
  });

  it('a bar is looked into as it was then', () => {
    const code = strategyOf('state["bars"] = bar\nself.log(f"at {bar}")\nif bar == 101:\n    market.buy(percent=10)');
    const { state, logs, decisions, bar } = inspect({ ...jobOf(code, [market]), hosts: python }, 100);
    expect({ state, logs, bar }).toEqual({ state: { bars: 101 }, logs: ['at 101'], bar: 100 });
    expect(decisions).toMatchObject([{ side: 'buy', state: 'open' }]);
  });

  it('a look ahead is found, in a column and in what it remembers', () => {
    const peeking = strategyOf(
      'if self.next.value > market.close():\n    market.buy(percent=10)',
      'def start(self):\n    self.next = self.market.column("next", lambda c: list(c.close[1:]) + [c.close[-1]])',
    );
    const job = { ...jobOf(peeking, [market], { isUnchecked: false }), hosts: python };
    expect(runBacktest(job).checks.lookAhead.message).toMatch(/^Column next looks ahead/);
    const direct = strategyOf(
      'if market._close[min(market._row + 1, market._rows - 1)] > market.close():\n    market.buy(percent=1)',
    );
    expect(runBacktest({ ...job, code: direct }).checks.lookAhead.message).toMatch(/^Looks ahead/);
  });

  it('nothing is left of a run for the next one', () => {
    const code = strategyOf(
      'Mine.count += 1\nmath.count = getattr(math, "count", 0) + 1\nself.log(f"{Mine.count} {math.count}")',
      'count = 0',
    ).replace('class Mine', 'import math\n\nclass Mine');
    const logs = () => {
      const outcome = runBacktest({ ...jobOf(code, [marketOf(wandering(2))]), hosts: python });
      expect(outcome.problem).toBeNull();
      return outcome.logs.map(({ text }) => text);
    };
    expect(logs()).toEqual(['1 1', '2 2']);
    expect(logs()).toEqual(['1 1', '2 2']);
  });

  it('a live run decides what a backtest decides, over restarts, with its state and its chance', () => {
    const { columns } = market;
    const barAt = (row: number): LiveBar => ({
      symbol: 'BTC/USDT',
      ...{ time: columns.time[row] as number, open: columns.open[row] as number, high: columns.high[row] as number },
      ...{
        low: columns.low[row] as number,
        close: columns.close[row] as number,
        volume: columns.volume[row] as number,
      },
    });
    const liveJob = (code: string, history: number): LiveJob => ({
      ...jobOf(code, [{ ...market, columns: sliceCandles(columns, 0, history) }]),
      runId: 'run-1',
      hosts: code.startsWith('export') || code.startsWith('/**') ? null : python,
    });
    const follow = (code: string, restarts: boolean) => {
      const told: unknown[] = [];
      let live = new LiveStrategy(liveJob(code, 100));
      let waiting: Decision[] = [];
      for (let row = 100; row < 300; row++) {
        if (restarts && row % 20 === 0) {
          const saved = JSON.parse(JSON.stringify(live.save()));
          live = new LiveStrategy(liveJob(code, row), saved);
        }
        for (const each of waiting) {
          if (each.kind !== 'place' || each.type !== 'market') continue;
          const price = columns.open[row] as number;
          live.onFill({ order: each.id, amount: each.amount, price, fee: 0, time: columns.time[row] as number });
        }
        const answer = live.onBars([barAt(row)]);
        waiting = answer.decisions;
        told.push(answer);
      }
      return { told, state: live.save().state };
    };
    expect(follow(cross.python, true)).toEqual(follow(cross.code, false));
    const chance = strategyOf(
      'state["count"] = state.get("count", 0) + 1\nself.log(f"{state[\'count\']} {self.random()} {self.own.value}")\nif state["count"] % 10 == 3:\n    market.buy(amount=0.001)',
      'def start(self):\n    self.own = self.market.column("own", lambda c: [2 * each for each in c.close])',
    );
    const whole = follow(chance, false);
    expect(follow(chance, true)).toEqual(whole);
    expect(whole.state).toEqual({ count: 200 });
  });
});
