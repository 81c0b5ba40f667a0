import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../backtest.ts';
import { jobOf, marketOf, start, wandering } from '../testing.ts';

/**
 * What backtesting.py 0.6.6 comes to with the same bars and rules: a cross of averages of 10 and 30 bars, a commission of
 * 0.1 %, whole units, a million to begin with, and nothing closed at the end.
 */
interface Peer {
  equity: number;
  /** Bar and price of entry and exit, and units. */
  trades: [entryBar: number, exitBar: number, entryPrice: number, exitPrice: number, size: number][];
}
const peers = JSON.parse(readFileSync(join(import.meta.dirname, 'backtesting-py.json'), 'utf8')) as Record<
  string,
  Peer
>;

const cross = (up: string, down: string) => `export default strategy({ start({ market }) {
  const [fast, slow] = [market.sma(10), market.sma(30)];
  return { onBar() {
    const close = market.close();
    if (fast.crossesAbove(slow) && market.position === 0) { ${up} }
    else if (fast.crossesBelow(slow)) { ${down} }
  } };
} });`;
const close = 'market.closePosition()';
const strategies: Record<string, string> = {
  market: cross('market.buy({ amount: 1000 })', close),
  share: cross('market.buy({ percent: 50 })', close),
  exits: cross('market.buy({ amount: 1000, stop: close * 0.985, takeProfit: close * 1.02 })', close),
  limit: cross('market.cancel(); market.buy({ amount: 1000, limit: close * 0.995 })', close),
  stop: cross('market.cancel(); market.buy({ amount: 1000, trigger: close * 1.005 })', close),
};

describe.each(Object.entries(strategies))('%s', (name, code) => {
  it('comes to the trades and the equity of backtesting.py', () => {
    const market = marketOf(wandering(3_000, 11), 'BTC', { amountStep: 1 });
    const fees = { maker: 0.001, taker: 0.001 };
    const outcome = runBacktest(jobOf(code, [market], { capital: 1_000_000, fees }));
    const peer = peers[name] as Peer;
    const barOf = (time: number | null) => ((time ?? 0) - start) / 3_600_000;
    const trades = outcome.trades.filter(({ exitTime }) => exitTime !== null);
    expect(trades.map(({ entryTime, exitTime, amount }) => [barOf(entryTime), barOf(exitTime), amount])).toEqual(
      peer.trades.map(([entryBar, exitBar, , , size]) => [entryBar, exitBar, size]),
    );
    for (const [index, { entryPrice, exitPrice }] of trades.entries()) {
      const [, , entry, exit] = peer.trades[index] as Peer['trades'][number];
      expect(Math.abs(entryPrice / entry - 1)).toBeLessThan(1e-9);
      expect(Math.abs(exitPrice / exit - 1)).toBeLessThan(1e-9);
    }
    expect(Math.abs((outcome.summary?.endEquity ?? 0) / peer.equity - 1)).toBeLessThan(1e-9);
  });
});
