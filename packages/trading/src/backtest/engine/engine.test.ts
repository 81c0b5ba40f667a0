import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../../candles.ts';
import { runBacktest } from '../backtest.ts';
import { inspect } from '../inspect.ts';
import { columnsOf, jobOf, marketOf, onBar, start, wandering } from '../testing.ts';
import * as indicators from './indicators.ts';

const hour = 3_600_000;

describe('indicators', () => {
  const columns = wandering(400, 7);
  const { close, high, low } = columns;
  const last = (row: number, length: number) => [...close.subarray(row - length + 1, row + 1)];
  const mean = (values: number[]) => values.reduce((total, each) => total + each, 0) / values.length;

  it('are what their definitions say', () => {
    const n = 14;
    const [sma, deviation] = [indicators.sma(close, n, 5), indicators.standardDeviation(close, n)];
    const [top, bottom] = [indicators.highest(high, n), indicators.lowest(low, n)];
    const [momentum, ema] = [indicators.momentum(close, n), indicators.ema(close, n)];
    const [rsi, atr] = [indicators.rsi(close, n), indicators.atr(columns, n)];
    let [average, up, down, range] = [mean(last(n - 1, n)), 0, 0, 0];
    for (let row = 0; row < 400; row++) {
      const before = row > 0 ? (close[row - 1] as number) : (close[row] as number);
      const change = (close[row] as number) - before;
      const wide = Math.max(high[row] as number, before) - Math.min(low[row] as number, before);
      range += row < n ? wide / n : (wide - range) / n;
      if (row > 0) {
        up += row <= n ? Math.max(change, 0) / n : (Math.max(change, 0) - up) / n;
        down += row <= n ? Math.max(-change, 0) / n : (Math.max(-change, 0) - down) / n;
      }
      if (row < n - 1) {
        for (const each of [sma, deviation, top, bottom, ema, rsi, atr, momentum]) expect(each[row]).toBeNaN();
        continue;
      }
      const values = last(row, n);
      expect(sma[row]).toBeCloseTo(mean(values), 10);
      expect(deviation[row]).toBeCloseTo(Math.sqrt(mean(values.map((each) => (each - mean(values)) ** 2))), 10);
      expect(top[row]).toBe(Math.max(...high.subarray(row - n + 1, row + 1)));
      expect(bottom[row]).toBe(Math.min(...low.subarray(row - n + 1, row + 1)));
      if (row >= n) average += (2 / (n + 1)) * ((close[row] as number) - average);
      expect(ema[row]).toBeCloseTo(average, 10);
      expect(atr[row]).toBeCloseTo(range, 10);
      if (row < n) continue;
      expect(momentum[row]).toBeCloseTo((close[row] as number) / (close[row - n] as number) - 1, 12);
      expect(rsi[row]).toBeCloseTo((100 * up) / (up + down), 9);
    }
  });

  it('are the same to the bit over fewer bars, and averages also from a later start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 61, max: 399 }), (n, cut) => {
        for (const compute of [
          indicators.sma,
          indicators.ema,
          indicators.rsi,
          indicators.highest,
          indicators.momentum,
        ]) {
          const [whole, part] = [compute(close, n), compute(close.subarray(0, cut), n)];
          expect(whole.subarray(0, cut)).toEqual(part);
        }
        const later = indicators.sma(close.subarray(cut - 60), n, cut - 60);
        expect(later.subarray(n - 1)).toEqual(indicators.sma(close, n, 0).subarray(cut - 60 + n - 1));
      }),
    );
  });

  it('of a price that never moves are numbers', () => {
    const still = new Float64Array(50).fill(3);
    expect(indicators.rsi(still, 5)[20]).toBe(50);
    expect(indicators.standardDeviation(still, 5)[20]).toBe(0);
  });
});

describe('time frames and markets', () => {
  it('show a longer bar when it is over, and not before', () => {
    const seen = `if (market.timeframe('4h').isFresh) log(market.time() + ' ' + market.timeframe('4h').close() + ' ' + market.timeframe('4h').count);`;
    const columns = wandering(20);
    const outcome = runBacktest(jobOf(onBar(seen, "market.timeframe('4h')"), [marketOf(columns)]));
    const longer = aggregate(columns, '4h');
    expect(outcome.logs.map(({ text }) => text)).toEqual(
      Array.from({ length: 5 }, (_, row) => `${start + (4 * row + 3) * hour} ${longer.close[row]} ${row + 1}`),
    );
  });
  it('show a longer time frame that is first asked for within a bar', () => {
    const body = "if (bar > 9) log(String(market.timeframe('4h').count))";
    const outcome = runBacktest(jobOf(onBar(body), [marketOf(wandering(14))]));
    expect(outcome.logs.map(({ text }) => text)).toEqual(['2', '2', '3', '3', '3']);
  });
  it('refuse a time frame shorter than the bars', () => {
    const outcome = runBacktest(jobOf(onBar('', "market.timeframe('1m')"), [marketOf(wandering(20))]));
    expect(outcome.problem?.message).toBe('1m is shorter than the bars of this run (1h)');
  });
  it('go on one clock where markets have gaps: what has no bar is not filled', () => {
    const flat = [100, 100, 100, 100];
    const gappy = columnsOf([flat, flat, [50, 50, 50, 50]]);
    gappy.time[2] = start + 5 * hour;
    const markets = [marketOf(columnsOf(Array.from({ length: 8 }, () => flat))), marketOf(gappy, 'ETH')];
    const body =
      "log(markets.map((each) => Number(each.isFresh)).join('')); if (bar === 3) markets[1].buy({ amount: 1 })";
    const outcome = runBacktest(jobOf(onBar(body), markets));
    expect(outcome.logs.map(({ text }) => text)).toEqual(['11', '11', '10', '10', '10', '11', '10', '10']);
    expect(outcome.orders).toMatchObject([{ price: 50, filledTime: start + 5 * hour }]);
  });
  it('tell what was filled before the bar', () => {
    const code = `export default strategy({ start({ market, log }) { return {
      onBar() { log('bar ' + market.count); if (market.count === 1) market.buy({ amount: 1 }) },
      onFill(fill) { log(fill.side + ' ' + fill.amount + ' ' + fill.market.symbol); if (fill.side === 'buy') market.sell() },
    } } });`;
    const outcome = runBacktest(jobOf(code, [marketOf(wandering(4))]));
    expect(outcome.logs.map(({ text }) => text)).toEqual([
      ...['bar 1', 'buy 1 BTC/USDT', 'bar 2', 'sell 1 BTC/USDT', 'bar 3', 'bar 4'],
    ]);
  });
});

describe('a result', () => {
  const job = jobOf(
    onBar('if (random() > 0.9) { if (market.position === 0) market.buy(); else market.closePosition(); }'),
    [marketOf(wandering(24 * 200), 'BTC', { amountStep: 0.001 })],
    { fees: { maker: 0.001, taker: 0.001 }, isUnchecked: false },
  );
  const outcome = runBacktest(job);

  it('has every figure, the sum of which is the equity', () => {
    const { summary, trades, tradeCount } = outcome;
    expect(tradeCount).toBe(trades.length);
    expect(summary?.endEquity).toBeCloseTo(1_000 + trades.reduce((total, { result }) => total + result, 0), 6);
    const fees = trades.reduce((total, each) => total + each.fees, 0);
    expect(summary?.fees).toBeCloseTo(fees, 6);
    expect(summary?.totalReturn.value).toBeCloseTo((summary?.endEquity ?? 0) / 1_000 - 1, 9);
    expect(Object.values(outcome.summary ?? {}).every((each) => each !== undefined)).toBe(true);
    const chained = outcome.monthly.reduce((total, { value }) => total * (1 + value), 1) - 1;
    expect(chained).toBeCloseTo(summary?.totalReturn.value ?? Number.NaN, 9);
    expect(outcome.distribution.reduce((total, { count }) => total + count, 0)).toBe(summary?.closedTrades);
  });
  it('has series that keep the highest, the lowest and the deepest', () => {
    const { equity, drawdown, time, benchmark } = outcome.series;
    expect(time.length).toBeLessThanOrEqual(4_000);
    expect([...time].sort((a, b) => a - b)).toEqual(time);
    expect(Math.min(...drawdown)).toBeCloseTo(outcome.summary?.maxDrawdownByBar.value ?? 1, 12);
    expect(equity.length).toBe(benchmark.length);
  });
  it('is the same again, and another for another seed, parameter, fee or bar', () => {
    const { fingerprint } = outcome;
    expect(runBacktest(job).fingerprint).toEqual(fingerprint);
    expect(runBacktest({ ...job, seed: 2 }).fingerprint?.result).not.toBe(fingerprint?.result);
    expect(runBacktest({ ...job, slippage: 0.001 }).fingerprint?.parameters).not.toBe(fingerprint?.parameters);
    const other = wandering(24 * 200);
    other.volume[5] = 1;
    expect(runBacktest({ ...job, markets: [marketOf(other)] }).fingerprint?.data).not.toBe(fingerprint?.data);
    expect(Object.values(fingerprint ?? {}).filter((each) => /^[0-9a-f]{64}$/.test(String(each)))).toHaveLength(4);
  });
  it('is plain data', () => {
    expect(structuredClone(outcome)).toEqual(outcome);
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
  });
  it('is shown in two parts where it was looked at and not', () => {
    const mark = start + 24 * 100 * hour;
    const { inSample, outOfSample, summary } = runBacktest({ ...job, outOfSampleFrom: mark });
    expect(inSample?.to).toBe(mark);
    expect(outOfSample?.from).toBe(mark);
    expect(outOfSample?.startEquity).toBe(inSample?.endEquity);
    const both = (1 + (inSample?.totalReturn.value ?? 0)) * (1 + (outOfSample?.totalReturn.value ?? 0)) - 1;
    expect(both).toBeCloseTo(summary?.totalReturn.value ?? Number.NaN, 9);
    expect((inSample?.closedTrades ?? 0) + (outOfSample?.closedTrades ?? 0)).toBe(summary?.closedTrades);
  });
  it('begins to trade when it is said, with the bars before as history', () => {
    const from = start + 50 * hour;
    const seen = runBacktest({ ...job, code: onBar('log(String(bar))'), from });
    expect(seen.logs[0]).toEqual({ time: from, text: '51' });
    expect(seen.summary?.from).toBe(from);
  });
  it('compares with holding, fees paid', () => {
    const columns = columnsOf([
      [100, 100, 100, 100],
      [100, 100, 100, 100],
      [150, 150, 150, 150],
    ]);
    const { summary } = runBacktest(jobOf(onBar(''), [marketOf(columns)], { fees: { maker: 0, taker: 0.1 } }));
    expect(summary?.benchmark.value).toBeCloseTo(1.5 / 1.1 - 1, 12);
  });
});

describe('the view of a bar', () => {
  it('shows what the strategy saw, had and decided', () => {
    const body = `state.bars = bar; log('bar ' + bar);
      if (bar === 3) market.buy({ amount: 1, reason: 'because' });
      if (bar === 4) market.sell({ limit: 500 });`;
    const columns = wandering(20);
    const job = jobOf(onBar(body, 'market.sma(2); market.column("mine", ({ close }) => close)'), [marketOf(columns)]);
    expect(inspect(job, 2)).toMatchObject({
      ...{ bar: 2, time: start + 2 * hour, equity: 1_000, logs: ['bar 3'], state: { bars: 3 }, fills: [] },
      decisions: [{ side: 'buy', reason: 'because', amount: 1 }],
      markets: [
        {
          ...{ symbol: 'BTC/USDT', close: columns.close[2], position: 0 },
          indicators: [
            { name: 'sma 2', value: ((columns.close[1] as number) + (columns.close[2] as number)) / 2 },
            { name: 'mine', value: columns.close[2], previous: columns.close[1] },
          ],
        },
      ],
    });
    const next = inspect(job, 3);
    expect(next.fills).toMatchObject([{ side: 'buy', amount: 1, price: columns.open[3], cause: 'buy' }]);
    expect(next.markets[0]).toMatchObject({ position: 1, entryPrice: columns.open[3], openOrders: [{ limit: 500 }] });
    expect(inspect(job, 999).bar).toBe(19);
    expect(inspect({ ...job, code: onBar('null.x') }, 5).problem).toMatchObject({ code: 'error' });
  });
});
