import { describe, expect, it } from 'vitest';
import { runBacktest } from '../backtest.ts';
import type { BacktestJob, MarketRules } from '../job.ts';
import { columnsOf, jobOf, marketOf, onBar } from '../testing.ts';

type Bars = readonly (readonly number[])[];
const flat = [100, 100, 100, 100] as const;

function run(body: string, bars: Bars, more: Partial<BacktestJob> = {}, rules: Partial<MarketRules> = {}) {
  const outcome = runBacktest(jobOf(onBar(body), [marketOf(columnsOf(bars), 'BTC', rules)], more));
  expect(outcome.problem).toBeNull();
  const fills = outcome.orders.map(({ side, type, state, filled, price, note }) => ({
    side,
    type,
    state,
    filled,
    price,
    note,
  }));
  const trades = outcome.trades.map(({ entryPrice, exitPrice, cause, amount, result }) => ({
    ...{ entryPrice, exitPrice, cause, amount, result },
  }));
  return { outcome, fills, trades, ambiguous: outcome.ambiguousBars };
}

/** Bought at 100 with the given exits; then the bar. */
const held = (exits: string, bar: readonly number[], more: Partial<BacktestJob> = {}) =>
  run(`if (bar === 1) market.buy({ amount: 1, ${exits} })`, [flat, flat, bar], more);

describe('market orders', () => {
  it('are filled at the open of the next bar, with slippage and fee against them', () => {
    const { fills, outcome } = run(
      'if (bar === 1) market.buy({ amount: 1 }); if (bar === 2) market.sell({ amount: 1 })',
      [flat, [110, 120, 90, 100], [105, 106, 104, 105]],
      { slippage: 0.01, fees: { maker: 0, taker: 0.001 } },
    );
    expect(fills.map(({ price }) => price)).toEqual([110 * 1.01, 105 * 0.99]);
    expect(outcome.summary?.fees).toBeCloseTo((110 * 1.01 + 105 * 0.99) * 0.001, 12);
    expect(outcome.summary?.endEquity).toBeCloseTo(1_000 - 111.1 * 1.001 + 103.95 * 0.999, 9);
  });

  it('of the last bar are never filled', () => {
    const { fills } = run('if (bar === 2) market.buy({ amount: 1 })', [flat, flat]);
    expect(fills).toMatchObject([{ state: 'open', filled: 0 }]);
  });

  it('spend a share of the equity with the fee, at the price of the fill', () => {
    const { fills, outcome } = run('if (bar === 1) market.buy({ percent: 50 })', [flat, [125, 125, 125, 125]], {
      fees: { maker: 0, taker: 0.1 },
    });
    expect(fills[0]?.filled).toBeCloseTo(500 / (125 * 1.1), 12);
    expect(outcome.summary?.fees).toBeCloseTo(500 - 500 / 1.1, 9);
  });

  it('of one bar: sales pay for purchases', () => {
    const body = `if (bar === 1) markets[0].buy(); if (bar === 2) { markets[1].buy({ percent: 100 }); markets[0].sell() }`;
    const markets = [
      marketOf(columnsOf([flat, flat, flat, flat])),
      marketOf(columnsOf([flat, flat, flat, flat]), 'ETH'),
    ];
    const swapped = body.replace(
      'markets[1].buy({ percent: 100 }); markets[0].sell()',
      'markets[0].sell(); markets[1].buy()',
    );
    const outcome = runBacktest(jobOf(onBar(swapped), markets));
    expect(outcome.orders.map(({ symbol, side, filled }) => [symbol, side, filled])).toEqual([
      ['BTC/USDT', 'buy', 10],
      ['BTC/USDT', 'sell', 10],
      ['ETH/USDT', 'buy', 10],
    ]);
    // Ordered the other way round there is no cash to be seen yet.
    expect(runBacktest(jobOf(onBar(body), markets)).orders[1]).toMatchObject({ state: 'rejected' });
  });
});

describe('limit orders', () => {
  it('wait, and are filled at their price when a bar reaches it', () => {
    const { fills } = run('if (bar === 1) market.buy({ amount: 1, limit: 95 })', [
      flat,
      [100, 101, 96, 100],
      [100, 100, 94, 99],
    ]);
    expect(fills).toMatchObject([{ type: 'limit', state: 'closed', price: 95 }]);
  });
  it('get the better price when a bar opens beyond them', () => {
    const { fills } = run('if (bar === 1) market.buy({ amount: 1, limit: 95 })', [flat, flat, [90, 92, 89, 91]]);
    expect(fills[0]?.price).toBe(90);
  });
  it('pay as maker when they waited and as taker when they could be filled at once', () => {
    const fees = { fees: { maker: 0.01, taker: 0.02 } };
    const fee = (limit: number) =>
      run(`if (bar === 1) market.buy({ amount: 1, limit: ${limit} })`, [flat, [100, 101, 90, 100]], fees).outcome
        .orders[0]?.fee;
    expect(fee(95)).toBeCloseTo(0.95, 12);
    expect(fee(105)).toBeCloseTo(2, 12);
  });
  it('to sell hold what they sell', () => {
    const { fills } = run(
      'if (bar === 1) market.buy({ amount: 1 }); if (bar === 2) { market.sell({ amount: 1, limit: 110 }); market.sell({ amount: 1 }) }',
      [flat, flat, [100, 111, 99, 105]],
    );
    expect(fills[1]).toMatchObject({ price: 110, state: 'closed' });
    expect(fills[2]).toMatchObject({ state: 'rejected', note: 'Sells 1 BTC, 0 are free' });
  });
  it('expire after so many bars', () => {
    const order = (bars: number) =>
      run(`if (bar === 1) market.buy({ amount: 1, limit: 95, goodForBars: ${bars} })`, [
        flat,
        flat,
        flat,
        [100, 100, 90, 95],
      ]);
    expect(order(2).fills[0]).toMatchObject({ state: 'expired', note: 'Its time was over' });
    expect(order(3).fills[0]).toMatchObject({ state: 'closed' });
  });
  it('block no cash after their last bar', () => {
    const second = (bar: number) =>
      run(
        `if (bar === 1) market.buy({ amount: 10, limit: 95, goodForBars: 2 }); if (bar === ${bar}) market.buy({ amount: 5 })`,
        [flat, flat, flat, flat],
      ).fills[1];
    expect(second(2)).toMatchObject({ state: 'rejected' });
    expect(second(3)).toMatchObject({ state: 'closed' });
  });
});

describe('orders that wait for a trigger', () => {
  it('stop to buy: at the trigger, or at the open beyond it', () => {
    const order = 'if (bar === 1) market.buy({ amount: 1, trigger: 105 })';
    expect(run(order, [flat, [100, 106, 99, 104]]).fills).toMatchObject([{ type: 'stop', price: 105 }]);
    expect(run(order, [flat, [108, 109, 107, 108]]).fills).toMatchObject([{ type: 'stop', price: 108 }]);
    expect(run(order, [flat, [100, 104, 99, 104]]).fills).toMatchObject([{ state: 'open' }]);
  });
  it('stop to sell', () => {
    const order = 'if (bar === 1) market.buy({ amount: 1 }); if (bar === 2) market.sell({ trigger: 95 })';
    expect(run(order, [flat, flat, [100, 101, 94, 96]]).fills[1]).toMatchObject({ type: 'stop', price: 95 });
    expect(run(order, [flat, flat, [90, 92, 88, 91]]).fills[1]).toMatchObject({ type: 'stop', price: 90 });
  });
  it('take profit: a sale above, a purchase below', () => {
    const sell = 'if (bar === 1) market.buy({ amount: 1 }); if (bar === 2) market.sell({ trigger: 110 })';
    expect(run(sell, [flat, flat, [100, 112, 99, 101]]).fills[1]).toMatchObject({ type: 'take_profit', price: 110 });
    const buy = 'if (bar === 1) market.buy({ amount: 1, trigger: 90 })';
    expect(run(buy, [flat, [100, 101, 89, 95]]).fills[0]).toMatchObject({ type: 'take_profit', price: 90 });
  });
  it('stop limit: filled where the trigger is within the limit, else it waits as a limit', () => {
    const order = (limit: number) => `if (bar === 1) market.buy({ amount: 1, trigger: 105, limit: ${limit} })`;
    expect(run(order(106), [flat, [100, 107, 99, 104]]).fills).toMatchObject([{ type: 'stop_limit', price: 105 }]);
    // Opened beyond the limit and came back within the bar.
    expect(run(order(106), [flat, [110, 112, 105.5, 111]]).fills).toMatchObject([{ price: 106 }]);
    // Triggered within the bar with a limit below: the low may have been before.
    const waits = run(order(104), [flat, [100, 107, 99, 106], [106, 107, 103, 105]]);
    expect(waits.outcome.orders[0]).toMatchObject({ price: 104, filledTime: Date.UTC(2026, 0, 1, 2) });
  });
});

describe('the exits of a purchase', () => {
  it('stop: at its price with slippage, or at the open of a gap', () => {
    expect(held('stop: 95', [100, 101, 94, 99]).trades).toMatchObject([{ cause: 'stop', exitPrice: 95, result: -5 }]);
    expect(held('stop: 95', [90, 92, 88, 91]).trades).toMatchObject([{ cause: 'stop', exitPrice: 90 }]);
    expect(held('stop: 95', [100, 101, 94, 99], { slippage: 0.01 }).trades[0]?.exitPrice).toBeCloseTo(95 * 0.99, 12);
  });
  it('take profit: at its price without slippage, or at the better open', () => {
    expect(held('takeProfit: 110', [100, 111, 99, 105], { slippage: 0.01 }).trades[0]?.exitPrice).toBe(110);
    expect(held('takeProfit: 110', [115, 116, 114, 115]).trades).toMatchObject([
      { cause: 'take_profit', exitPrice: 115 },
    ]);
  });
  it('both within one bar: the stop, and the bar is counted', () => {
    const { trades, ambiguous } = held('stop: 95, takeProfit: 110', [100, 111, 94, 109]);
    expect(trades).toMatchObject([{ cause: 'stop', exitPrice: 95 }]);
    expect(ambiguous).toBe(1);
    expect(held('stop: 95, takeProfit: 110', [100, 111, 96, 109]).ambiguous).toBe(0);
  });
  it('both within one bar whose open is beyond one: that one, and nothing is ambiguous', () => {
    const { trades, ambiguous } = held('stop: 95, takeProfit: 110', [112, 113, 90, 95]);
    expect(trades).toMatchObject([{ cause: 'take_profit', exitPrice: 112 }]);
    expect(ambiguous).toBe(0);
  });
  it('in the bar of the purchase itself, which was at its open', () => {
    const { trades } = run('if (bar === 1) market.buy({ amount: 1, stop: 95 })', [flat, [100, 101, 94, 99]]);
    expect(trades).toMatchObject([{ entryPrice: 100, cause: 'stop', exitPrice: 95 }]);
  });
  it('of a purchase by limit: the stop below is certain, the goal above only where the bar ends there', () => {
    const order = 'if (bar === 1) market.buy({ amount: 1, limit: 95, stop: 90, takeProfit: 105 })';
    const stopped = run(order, [flat, [100, 101, 89, 100]]);
    expect(stopped.trades).toMatchObject([{ entryPrice: 95, cause: 'stop', exitPrice: 90 }]);
    expect(stopped.ambiguous).toBe(0);
    const unknown = run(order, [flat, [100, 106, 94, 100]]);
    expect(unknown.trades).toMatchObject([{ cause: 'end' }]);
    expect(unknown.ambiguous).toBe(1);
    expect(run(order, [flat, [100, 106, 94, 105.5]])).toMatchObject({
      trades: [{ cause: 'take_profit' }],
      ambiguous: 0,
    });
  });
  it('of a purchase by stop: the goal above is certain, the stop below counts against it', () => {
    const order = 'if (bar === 1) market.buy({ amount: 1, trigger: 105, stop: 98, takeProfit: 110 })';
    expect(run(order, [flat, [100, 111, 99, 108]])).toMatchObject({ trades: [{ cause: 'take_profit' }], ambiguous: 0 });
    expect(run(order, [flat, [100, 106, 97, 104]])).toMatchObject({ trades: [{ cause: 'stop' }], ambiguous: 1 });
    expect(run(order, [flat, [100, 106, 97, 97.5]])).toMatchObject({ trades: [{ cause: 'stop' }], ambiguous: 0 });
  });
  it('are moved and taken away', () => {
    const moved = run(
      'if (bar === 1) market.buy({ amount: 1, stop: 90 }); if (bar === 2) market.protect({ stop: 97 })',
      [flat, flat, [100, 101, 96, 99]],
    );
    expect(moved.trades).toMatchObject([{ cause: 'stop', exitPrice: 97 }]);
    const taken = run(
      'if (bar === 1) market.buy({ amount: 1, stop: 90 }); if (bar === 2) market.protect({ stop: null })',
      [flat, flat, [100, 101, 80, 99]],
    );
    expect(taken.trades).toMatchObject([{ cause: 'end' }]);
  });
  it('finer bars decide what came first', () => {
    const job = (minutes: Bars) => {
      const finer = { interval: '15m' as const, columns: columnsOf(minutes, '15m', Date.UTC(2026, 0, 1, 2)) };
      const market = { ...marketOf(columnsOf([flat, flat, [100, 111, 94, 109]])), finer };
      return runBacktest(jobOf(onBar('if (bar === 1) market.buy({ amount: 1, stop: 95, takeProfit: 110 })'), [market]));
    };
    const up = job([
      [100, 111, 100, 108],
      [108, 108, 94, 100],
      [100, 100, 100, 100],
      [100, 109, 100, 109],
    ]);
    expect(up.trades).toMatchObject([{ cause: 'take_profit', exitPrice: 110 }]);
    expect([up.ambiguousBars, up.decidedByFinerBars]).toEqual([0, 1]);
    const down = job([
      [100, 100, 94, 95],
      [95, 111, 95, 109],
    ]);
    expect(down.trades).toMatchObject([{ cause: 'stop', exitPrice: 95 }]);
    const still = job([[100, 111, 94, 109]]);
    expect([still.ambiguousBars, still.decidedByFinerBars]).toEqual([1, 0]);
  });
});

describe('sizes', () => {
  it('are cut to the step and refused below the least', () => {
    const rules = { amountStep: 0.01, priceTick: 0.5, minAmount: 0.02, minNotional: 5 };
    const orders = (body: string) => run(body, [flat, flat], {}, rules).fills;
    expect(orders('if (bar === 1) market.buy({ amount: 0.0599 })')).toMatchObject([{ filled: 0.05 }]);
    expect(orders('if (bar === 1) market.buy({ amount: 0.019 })')).toMatchObject([{ state: 'rejected' }]);
    expect(orders('if (bar === 1) market.buy({ amount: 0.04 })')).toMatchObject([
      { state: 'rejected', note: 'The least is an order of 5 USDT' },
    ]);
    expect(orders('if (bar === 1) market.buy({ amount: 1, limit: 100.2 })')).toMatchObject([{ price: 100 }]);
  });
  it('never more than is owned', () => {
    const bars = [flat, flat, flat];
    expect(run('if (bar === 1) market.buy({ amount: 11 })', bars).fills).toMatchObject([
      { state: 'rejected', note: 'Needs 1100 USDT, 1000 are free' },
    ]);
    expect(run('if (bar === 1) market.sell({ amount: 1 })', bars).fills).toMatchObject([
      { state: 'rejected', note: 'Sells 1 BTC, 0 are free' },
    ]);
    const twice = run('if (bar === 1) { market.buy({ quote: 600 }); market.buy({ quote: 600 }) }', bars);
    expect(twice.fills).toMatchObject([{ filled: 6 }, { state: 'rejected' }]);
  });
  it('what a gap makes too dear is bought in part', () => {
    const { fills, outcome } = run('if (bar === 1) market.buy({ amount: 10 })', [flat, [125, 125, 125, 125]]);
    expect(fills).toMatchObject([{ state: 'expired', filled: 8 }]);
    expect(outcome.summary?.endEquity).toBe(1_000);
  });
  it('that are no numbers are refused, each with its reason', () => {
    const note = (options: string) => run(`if (bar === 1) market.buy(${options})`, [flat, flat]).fills[0]?.note;
    expect(note('{ amount: NaN }')).toBe('amount is not a number');
    expect(note('{ amount: -1 }')).toBe('amount must be above zero');
    expect(note('{ percent: 101 }')).toBe('percent is at most 100');
    expect(note('{ amount: 1, quote: 1 }')).toBe('Give one of amount, quote and percent');
    expect(note('{ limit: "95" }')).toBe('limit is not a number');
    expect(note('{ stop: 100 }')).toBe('The stop 100 is not below the price 100');
    expect(note('{ takeProfit: 90 }')).toBe('The take-profit 90 is not above the price 100');
  });
});

describe('several purchases', () => {
  it('are sold oldest first, each as a trade of its own', () => {
    const { trades } = run('if (bar <= 2) market.buy({ amount: 1 }); if (bar === 3) market.sell({ amount: 1.5 })', [
      flat,
      flat,
      [110, 110, 110, 110],
      [120, 120, 120, 120],
    ]);
    expect(trades).toMatchObject([
      { entryPrice: 100, exitPrice: 120, amount: 1, result: 20, cause: 'sell' },
      { entryPrice: 110, exitPrice: 120, amount: 0.5, result: 5, cause: 'sell' },
      { entryPrice: 110, amount: 0.5, cause: 'end', result: 5 },
    ]);
  });
  it('closing a position cancels what waits', () => {
    const { fills } = run(
      'if (bar === 1) market.buy({ amount: 1 }); if (bar === 2) { market.sell({ limit: 200 }); market.closePosition() }',
      [flat, flat, flat],
    );
    expect(fills.map(({ state }) => state)).toEqual(['closed', 'canceled', 'closed']);
  });
});

describe('money', () => {
  it('that is paid in is no profit', () => {
    const deposits = [{ at: Date.UTC(2026, 0, 1, 5), amount: 500 }];
    const { outcome } = run(
      '',
      Array.from({ length: 48 }, () => flat),
      { deposits },
    );
    expect(outcome.summary).toMatchObject({ endEquity: 1_500, deposits: 500, totalReturn: { value: 0 } });
    expect(outcome.summary?.maxDrawdownByBar).toEqual({ value: 0 });
    expect(outcome.series.drawdown.every((each) => each === 0)).toBe(true);
  });
  it('weights buy and sell to the shares, fees paid from them', () => {
    const steady = Array.from({ length: 4 }, () => flat);
    const rising = [flat, flat, [200, 200, 200, 200], [200, 200, 200, 200]];
    const markets = [marketOf(columnsOf(steady)), marketOf(columnsOf(rising), 'ETH')];
    const outcome = runBacktest(jobOf(onBar('weights({ BTC: 0.5, "ETH/USDT": 0.5 })'), markets));
    expect(outcome.orders.map(({ symbol, side, filled }) => [symbol, side, filled])).toEqual([
      ['BTC/USDT', 'buy', 5],
      ['ETH/USDT', 'buy', 5],
      ['ETH/USDT', 'sell', 1.25],
      ['BTC/USDT', 'buy', 2.5],
    ]);
    const gone = runBacktest(jobOf(onBar('weights(bar < 3 ? { BTC: 1 } : {})'), markets.slice(0, 1)));
    expect(gone.orders.at(-1)).toMatchObject({ side: 'sell', filled: 10 });
  });
});
