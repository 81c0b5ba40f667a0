import { describe, expect, it } from 'vitest';
import { sliceCandles } from '../candles.ts';
import type { Host } from './hosts/host.ts';
import { localHosts } from './hosts/testing.ts';
import type { BacktestJob, BacktestMarket } from './job.ts';
import { planted, trades } from './planted.ts';
import { jobOf, marketOf, onBar, wandering } from './testing.ts';
import { verify } from './verify.ts';

const columns = wandering(900);
const verified = (code: string, markets: BacktestMarket[] = [marketOf(columns)], more: Partial<BacktestJob> = {}) =>
  verify(jobOf(code, markets, { fees: { maker: 0.001, taker: 0.001 }, slippage: 0.0005, ...more }));

describe('bars that are handed over one by one', () => {
  it.each(planted)('show %s', (_, code) => {
    expect(verified(code).check).toMatchObject({ state: 'failed' });
  });

  it('are decided on as all of them at hand, by every indicator', () => {
    const body = `
      const values = lines.map((line) => line.value);
      if (values.every((value) => !Number.isNaN(value))) {
        market.cancel();
        // Each value is in the size of an order.
        lines.forEach((line, index) => market.buy({ amount: (Math.abs(line.value) + Math.abs(line.ago(3))) * 1e-9 * (index + 1), limit: market.close() * 0.9 }));
        if (fast.crossesAbove(slow)) market.buy({ percent: 50, stop: day.low(1) * 0.9 });
        if (fast.crossesBelow(slow) || rsi.crossesAbove(60)) market.closePosition();
      }`;
    const before = `
      const day = market.timeframe('1d');
      const [fast, slow, rsi] = [market.sma(5), market.ema(20), market.rsi(14)];
      const bands = market.bollinger(20, 2); const channel = market.donchian(12); const macd = market.macd(12, 26, 9);
      const mean = market.column('mean', ({ close }) => close.map((_, row) => (close[row] + (close[row - 1] ?? close[row])) / 2));
      const lines = [fast, slow, rsi, market.atr(14), market.standardDeviation(10), ...Object.values(bands), ...Object.values(channel),
        ...Object.values(macd), market.highest(7), market.lowest(9, 'close'), market.momentum(6), market.sma(3, rsi), market.ema(4, macd.line),
        market.sma(4, mean), mean, day.sma(3), day.rsi(4), day.atr(3), day.highest(3)];`;
    const { check, fingerprint } = verified(onBar(body, before));
    expect(check).toEqual({
      ...{ state: 'passed', runs: 900, at: null },
      message: 'Decided the same on 900 bars that were handed over one by one',
    });
    expect(fingerprint?.result).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are those of several markets with gaps, with finer bars, deposits and history', () => {
    const thinned = (seed: number, isKept: (row: number) => boolean) => {
      const whole = wandering(600, seed);
      const rows = Array.from(whole.time.keys()).filter(isKept);
      const of = (values: Float64Array) => Float64Array.from(rows, (row) => values[row] as number);
      const { time, open, high, low, close, volume } = whole;
      return {
        ...{ time: of(time), open: of(open), high: of(high), low: of(low), close: of(close), volume: of(volume) },
      };
    };
    const markets = [
      {
        ...marketOf(thinned(1, (row) => row % 7 !== 3)),
        finer: { interval: '15m' as const, columns: wandering(2_400, 5, '15m') },
      },
      marketOf(
        thinned(2, (row) => row > 100 && (row < 300 || row > 330)),
        'ETH',
      ),
    ];
    const code = onBar(
      `for (const each of markets) {
        const four = each.timeframe('4h');
        if (each.isFresh && each.close() < each.close(5) && four.close() > 0) each.buy({ percent: 20, stop: each.close() * 0.99, takeProfit: each.close() * 1.01, goodForBars: 5 });
        if (four.isFresh && random() < 0.1) { each.closePosition(); log(String(context.equity)); }
      }
      if (bar % 50 === 0) weights({ BTC: 0.3, 'ETH/USDT': 0.2 }, { drift: 0.01 });`,
    );
    const deposits = [{ at: columns.time[300] as number, amount: 500 }];
    const { check } = verified(code, markets, { deposits, from: columns.time[50] as number });
    expect(check).toMatchObject({ state: 'passed', runs: 539 });
  });

  it('leave a process only when they have closed', () => {
    const local = localHosts();
    const seen: number[] = [];
    let hosts = 0;
    const open = (): Host => {
      const host = local.open();
      if (hosts++ === 0) return host;
      const exchange = host.exchange.bind(host);
      host.exchange = (message, payload) => {
        const numbers = payload ? new Float64Array(payload.slice().buffer) : new Float64Array(0);
        const { do: what } = message as { do: string };
        if (what === 'history') seen.push(numbers.length / 6);
        if (what === 'step') seen.push(numbers.length);
        return exchange(message, payload);
      };
      return host;
    };
    const market = marketOf(sliceCandles(columns, 0, 50));
    const code = onBar(trades('market.close() > market.close(1)')).replace('strategy({', 'strategy({ warmUp: 10,');
    expect(verified(code, [market], { hosts: { ...local, open } }).check.state).toBe('passed');
    // Ten bars of history; then the time, how many bars, and one bar.
    expect(seen).toEqual([10, ...Array.from({ length: 40 }, () => 8)]);
  });

  it('say nothing of what could not be run', () => {
    expect(verified(onBar(''), [marketOf(sliceCandles(columns, 0, 1))]).check.state).toBe('passed');
    const tooFew = onBar('').replace('strategy({', 'strategy({ warmUp: 5,');
    expect(verified(tooFew, [marketOf(sliceCandles(columns, 0, 5))]).check.state).toBe('skipped');
    expect(verified(onBar('throw new Error("no")')).check).toMatchObject({
      state: 'skipped',
      message: 'Not tested: no',
    });
  });
});
