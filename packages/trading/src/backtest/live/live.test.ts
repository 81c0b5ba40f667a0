import { describe, expect, it } from 'vitest';
import { sliceCandles } from '../../candles.ts';
import { runBacktest } from '../backtest.ts';
import { movingAverageCross } from '../templates/moving-average-cross.ts';
import { jobOf, marketOf, onBar, wandering } from '../testing.ts';
import { LiveStrategy } from './live.ts';
import type { Decision, LiveBar, LiveJob } from './live-types.ts';

const columns = wandering(600, 3);
const barAt = (row: number): LiveBar => ({
  symbol: 'BTC/USDT',
  ...{ time: columns.time[row] as number, open: columns.open[row] as number, high: columns.high[row] as number },
  ...{ low: columns.low[row] as number, close: columns.close[row] as number, volume: columns.volume[row] as number },
});
const liveJob = (code: string, history: number): LiveJob => ({
  ...jobOf(code, [marketOf(sliceCandles(columns, 0, history), 'BTC', { amountStep: 0.0001 })]),
  ...{ runId: 'run-1', hosts: null },
});
const placed = (decisions: readonly Decision[]) =>
  decisions.flatMap((each) => (each.kind === 'place' ? [`${each.time} ${each.side} ${each.type}`] : []));

/** An exchange that fills market orders at the open of the next bar. */
function follow(live: LiveStrategy, from: number, to: number, waiting: Decision[] = []): Decision[] {
  const all: Decision[] = [];
  for (let row = from; row < to; row++) {
    for (const each of waiting.splice(0)) {
      if (each.kind !== 'place' || each.type !== 'market') continue;
      const price = columns.open[row] as number;
      all.push(
        ...live.onFill({ order: each.id, amount: each.amount, price, fee: 0, time: columns.time[row] as number }),
      );
    }
    const { decisions } = live.onBars([barAt(row)]);
    all.push(...decisions);
    waiting.push(...decisions);
  }
  return all;
}

describe('a live run', () => {
  it('decides what the backtest of the same bars decides', () => {
    const market = marketOf(columns, 'BTC', { amountStep: 0.0001 });
    const tested = runBacktest(jobOf(movingAverageCross, [market], { from: columns.time[100] }));
    const live = follow(new LiveStrategy(liveJob(movingAverageCross, 100)), 100, 600);
    expect(tested.orderCount).toBeGreaterThan(5);
    expect(placed(live)).toEqual(tested.orders.map(({ time, side, type }) => `${time} ${side} ${type}`));
  });

  it('goes on after a restart as if there had been none, with the same ids', () => {
    const whole = follow(new LiveStrategy(liveJob(movingAverageCross, 100)), 100, 600);
    const first = new LiveStrategy(liveJob(movingAverageCross, 100));
    const waiting: Decision[] = [];
    const before = follow(first, 100, 300, waiting);
    const saved = JSON.parse(JSON.stringify(first.save()));
    const after = follow(new LiveStrategy(liveJob(movingAverageCross, 300), saved), 300, 600, waiting);
    expect([...before, ...after].map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
    expect(whole.every(({ id }) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });

  it('decides nothing again for a bar it has seen, and reports one that was revised', () => {
    const code = onBar('market.buy({ amount: 0.001 })');
    const live = new LiveStrategy(liveJob(code, 10));
    expect(live.onBars([barAt(10)]).decisions).toHaveLength(1);
    expect(live.onBars([barAt(10)])).toEqual({ decisions: [], logs: [], revisions: [] });
    const revised = live.onBars([{ ...barAt(10), close: 1 }]);
    expect(revised.decisions).toEqual([]);
    expect(revised.revisions).toMatchObject([
      { symbol: 'BTC/USDT', message: `The bar was revised: close was ${columns.close[10]}, is 1` },
    ]);
  });

  it('keeps state, randomness and what is held over a restart', () => {
    const code = onBar(
      'state.count = (state.count ?? 0) + 1; log(state.count + " " + random() + " " + market.position); if (state.count === 1) market.buy({ amount: 0.5 })',
    );
    const logsOf = (restarts: boolean) => {
      let live = new LiveStrategy(liveJob(code, 10));
      return [10, 11, 12, 13].flatMap((row) => {
        if (restarts) live = new LiveStrategy(liveJob(code, row), row === 10 ? null : live.save());
        const { logs, decisions } = live.onBars([barAt(row)]);
        for (const { id } of decisions) live.onFill({ order: id, amount: 0.5, price: 100, fee: 0, time: 0 });
        return logs;
      });
    };
    expect(logsOf(true)).toEqual(logsOf(false));
    expect(logsOf(false)[3]).toMatch(/^4 0\.\d+ 0\.5$/);
  });

  it('places the stop of a purchase when it is filled, moves it, and cancels it before it sells', () => {
    const code = onBar(`if (bar === 11) market.buy({ amount: 1, stop: 50, takeProfit: 500 });
      if (bar === 12) market.protect({ stop: 60 }); if (bar === 13) market.closePosition('enough')`);
    const live = new LiveStrategy(liveJob(code, 10));
    const [buy] = live.onBars([barAt(10)]).decisions as [Decision];
    const half = live.onFill({ order: buy.id, amount: 0.4, price: 100, fee: 0.1, time: 0 });
    expect(half).toMatchObject([{ kind: 'place', side: 'sell', type: 'stop', stopPrice: 50, amount: 0.4 }]);
    const rest = live.onFill({ order: buy.id, amount: 0.6, price: 100, fee: 0.1, time: 0 });
    expect(rest).toMatchObject([
      { kind: 'cancel', order: half[0]?.id },
      { kind: 'place', type: 'stop', stopPrice: 50, amount: 1 },
    ]);
    const moved = live.onBars([barAt(11)]).decisions;
    expect(moved).toMatchObject([
      { kind: 'cancel', order: rest[1]?.id },
      { kind: 'place', type: 'stop', stopPrice: 60, amount: 1 },
    ]);
    const sold = live.onBars([barAt(12)]).decisions;
    expect(sold).toMatchObject([
      { kind: 'cancel', order: moved[1]?.id },
      { kind: 'place', side: 'sell', type: 'market', amount: 1, reason: 'enough' },
    ]);
    expect(live.onFill({ order: sold.at(-1)?.id ?? '', amount: 1, price: 120, fee: 0, time: 0 })).toEqual([]);
    for (const each of [half[0], rest[1], moved[1]]) expect(live.onEnd(each?.id ?? '')).toEqual([]);
    expect(live.save()).toMatchObject({ lots: [], orders: [], cash: 1_000 - 100.2 + 120 });
  });

  it('watches the goal of a purchase that has a stop', () => {
    const code = onBar('if (bar === 11) market.buy({ amount: 1, stop: 50, takeProfit: 500 })');
    const live = new LiveStrategy(liveJob(code, 10));
    const [buy] = live.onBars([barAt(10)]).decisions as [Decision];
    const [stop] = live.onFill({ order: buy.id, amount: 1, price: 100, fee: 0, time: 0 }) as [Decision];
    const { decisions } = live.onBars([{ ...barAt(11), high: 600 }]);
    expect(decisions).toMatchObject([
      { kind: 'cancel', order: stop.id },
      { kind: 'place', side: 'sell', type: 'market', amount: 1, reason: 'Take profit' },
    ]);
    // Once, however long the exchange takes.
    expect(live.onBars([{ ...barAt(12), high: 600 }]).decisions).toEqual([]);
  });

  it('counts a stop that is filled before its cancellation arrives', () => {
    const code = onBar('if (bar === 11) market.buy({ amount: 1, stop: 50 }); if (bar === 12) market.closePosition()');
    const live = new LiveStrategy(liveJob(code, 10));
    const [buy] = live.onBars([barAt(10)]).decisions as [Decision];
    const [stop] = live.onFill({ order: buy.id, amount: 1, price: 100, fee: 0, time: 0 }) as [Decision];
    expect(live.onBars([barAt(11)]).decisions).toMatchObject([{ kind: 'cancel', order: stop.id }, { kind: 'place' }]);
    live.onFill({ order: stop.id, amount: 1, price: 50, fee: 0, time: 0 });
    expect(live.save()).toMatchObject({ cash: 950, lots: [] });
  });

  it('tells of an order that ended without being filled, and forgets it', () => {
    const code = onBar(
      'if (bar === 11) market.buy({ amount: 1, limit: 50 }); log(String(market.openOrders)); if (bar === 13) market.cancel()',
    );
    const live = new LiveStrategy(liveJob(code, 10));
    const [order] = live.onBars([barAt(10)]).decisions as [Decision];
    expect(live.onBars([barAt(11)]).logs).toEqual(['1']);
    expect(live.onBars([barAt(12)]).decisions).toMatchObject([{ kind: 'cancel', order: order.id }]);
    live.onEnd(order.id);
    expect(live.onBars([barAt(13)]).logs).toEqual(['0']);
    expect(live.save().orders).toEqual([]);
  });

  it.each([false, true])(
    'cancels an order after its last bar, and its cash is free then (restarted: %s)',
    (restarts) => {
      const code = onBar(`if (bar === 11) market.buy({ amount: 9, limit: 90, goodForBars: 3 });
      if (bar > 11) log(String(market.openOrders)); if (bar === 14) market.buy({ amount: 5 })`);
      let live = new LiveStrategy(liveJob(code, 10));
      const [order] = live.onBars([barAt(10)]).decisions as [Decision];
      const answers = [11, 12, 13].map((row) => {
        if (restarts) live = new LiveStrategy(liveJob(code, row), JSON.parse(JSON.stringify(live.save())));
        return live.onBars([barAt(row)]);
      });
      expect(answers.map(({ logs }) => logs)).toEqual([['1'], ['1'], ['0']]);
      expect(answers.map(({ decisions }) => decisions)).toMatchObject([
        [],
        [],
        [
          { kind: 'cancel', order: order.id, reason: 'Its time was over' },
          { kind: 'place', amount: 5 },
        ],
      ]);
      if (restarts) live = new LiveStrategy(liveJob(code, 14), live.save());
      // The exchange may fill it before the cancellation arrives.
      live.onFill({ order: order.id, amount: 9, price: 90, fee: 0, time: 0 });
      expect(live.save().lots).toMatchObject([{ amount: 9 }]);
    },
  );

  it('cancels what should have ended while nothing ran', () => {
    const code = onBar('if (bar === 11) market.buy({ amount: 9, limit: 90, goodForBars: 3 })');
    const first = new LiveStrategy(liveJob(code, 10));
    first.onBars([barAt(10)]);
    const later = new LiveStrategy(liveJob(code, 20), first.save());
    expect(later.onBars([barAt(20)]).decisions).toMatchObject([{ kind: 'cancel' }]);
  });

  it('waits for its warm-up', () => {
    const live = new LiveStrategy(
      liveJob(onBar('market.buy({ amount: 0.1 })').replace('strategy({', 'strategy({ warmUp: 12,'), 10),
    );
    expect([10, 11, 12].map((row) => live.onBars([barAt(row)]).decisions.length)).toEqual([0, 0, 1]);
  });
});
