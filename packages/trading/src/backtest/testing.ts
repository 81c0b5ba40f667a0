import { emptyCandles } from '../candles.ts';
import { type Interval, intervalMs } from '../port.ts';
import type { Columns } from './engine/columns.ts';
import { localHosts } from './hosts/testing.ts';
import type { BacktestJob, BacktestMarket, MarketRules } from './job.ts';

/** Small markets and strategies for tests. */

export const start = Date.UTC(2026, 0, 1);

/** Bars as open, high, low, close and perhaps volume, one after the other. */
export function columnsOf(bars: readonly (readonly number[])[], interval: Interval = '1h', from = start): Columns {
  const columns = emptyCandles(bars.length);
  for (const [row, [open = 0, high = 0, low = 0, close = 0, volume = 1]] of bars.entries()) {
    columns.time[row] = from + row * intervalMs[interval];
    columns.open[row] = open;
    columns.high[row] = high;
    columns.low[row] = low;
    columns.close[row] = close;
    columns.volume[row] = volume;
  }
  return columns;
}

/** Prices that wander, the same for the same seed. */
export function wandering(count: number, seed = 1, interval: Interval = '1h'): Columns {
  let bits = seed;
  const next = () => {
    bits = (Math.imul(bits, 1_664_525) + 1_013_904_223) >>> 0;
    return bits / 4_294_967_296 - 0.5;
  };
  let price = 100;
  const bars = Array.from({ length: count }, () => {
    const open = price;
    price *= 1 + 0.02 * next();
    const close = price;
    const high = Math.max(open, close) * (1 + 0.005 * (next() + 0.5));
    const low = Math.min(open, close) * (1 - 0.005 * (next() + 0.5));
    return [open, high, low, close, 10 + next()];
  });
  return columnsOf(bars, interval);
}

const freeRules: MarketRules = { amountStep: 0, priceTick: 0, minAmount: 0, maxAmount: null, minNotional: 0 };

export const marketOf = (columns: Columns, base = 'BTC', rules: Partial<MarketRules> = {}): BacktestMarket => ({
  ...{ symbol: `${base}/USDT`, base, quote: 'USDT', rules: { ...freeRules, ...rules }, columns },
});

/** A job without fees and rules, but for what is said. */
export const jobOf = (code: string, markets: BacktestMarket[], more: Partial<BacktestJob> = {}): BacktestJob => ({
  ...{ code, parameters: {}, interval: '1h', markets, capital: 1_000, fees: { maker: 0, taker: 0 } },
  ...{ slippage: 0, seed: 1, isUnchecked: true, hosts: localHosts() },
  ...more,
});

/** A strategy whose `onBar` is the text; `bar` counts from 1. */
export const onBar = (body: string, before = ''): string =>
  `export default strategy({ markets: { min: 1, max: 9 }, start({ market, markets, weights, random, log, state, ...context }, p) {
    ${before}
    return { onBar() { const bar = market.count; ${body} } };
  } });`;
