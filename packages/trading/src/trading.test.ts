import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thin } from './candles.ts';
import { demoMarkets } from './demo/markets.ts';
import { checkGate, type GateFacts, usualLimits } from './gate.ts';
import * as metrics from './metrics.ts';
import { averagePrice, clientIdOf, feesByAsset, type KnownOrder, mergeReport } from './orders.ts';
import type { Candles, Fill, Market, OrderReport, Ticker } from './port.ts';
import { type Entry, holdingsOf, rebalance } from './portfolio.ts';
import { amountFor, sizeProblems } from './sizes.ts';

const bitcoin = demoMarkets[0] as Market;
const ticker: Ticker = {
  symbol: 'BTC/USDT',
  last: '50000',
  bid: null,
  ask: null,
  change: 0,
  volume: null,
  at: 1_000_000,
};

describe('metrics', () => {
  const first = [0.01, -0.02, 0.03, -0.01, 0.02];
  const second = [-0.1, 0.05, 0.05, 0, 0.02];

  it('agree with vectors computed elsewhere', () => {
    expect(metrics.totalReturn(first).value).toBeCloseTo(0.0294850412, 9);
    expect(metrics.volatility(first).value).toBeCloseTo(0.3961691558, 9);
    expect(metrics.sharpe(first, 0, 2).value).toBeCloseTo(5.5279417087, 9);
    expect(metrics.sortino(first, 2).value).toBeCloseTo(11.4629839047, 9);
    expect(metrics.maxDrawdown(first)?.depth).toBeCloseTo(-0.02, 12);
    expect(metrics.calmar(first, 2).value).toBeCloseTo(367.0930600459, 8);
    expect(metrics.profitFactor(first).value).toBeCloseTo(2, 12);
    expect(metrics.winRate(first).value).toBeCloseTo(0.6, 12);
    expect(metrics.totalReturn(second).value).toBeCloseTo(0.012095, 9);
    expect(metrics.volatility(second).value).toBeCloseTo(1.1823493562, 9);
    expect(metrics.sharpe(second, 0, 2).value).toBeCloseTo(1.2348296148, 9);
    expect(metrics.sortino(second, 2).value).toBeCloseTo(1.7088007491, 9);
    expect(metrics.maxDrawdown(second)?.depth).toBeCloseTo(-0.1, 12);
    expect(metrics.winRate(second).value).toBeCloseTo(0.75, 12);
    expect(metrics.profitFactor(second).value).toBeCloseTo(1.2, 12);
  });

  it('say why there is none instead of a wild number', () => {
    expect(metrics.sharpe(first)).toEqual({ value: null, reason: 'too short to say: needs 30 days' });
    expect(metrics.cagr(first).value).toBeNull();
    expect(metrics.sharpe(Array(40).fill(0.01))).toEqual({ value: null, reason: 'the value never moved' });
    expect(metrics.sortino(Array.from({ length: 40 }, (_, index) => index / 1000)).reason).toBe('no day ended lower');
    expect(metrics.profitFactor([1, 2]).reason).toBe('no losses');
    expect(metrics.winRate([]).reason).toBe('no trade is closed');
    expect(metrics.totalReturn([]).value).toBeNull();
    expect(metrics.windowReturn(first, 7)).toEqual({ value: null, reason: 'needs 7 days' });
    expect(metrics.windowReturn(first, 1).value).toBeCloseTo(0.02, 12);
    expect(metrics.cagr(Array(40).fill(-1)).value).toBe(-1);
  });

  it('take deposits and withdrawals out', () => {
    const returns = metrics.dailyReturns(0, [
      { day: 0, equity: 1000, flow: 1000 },
      { day: 1, equity: 1100, flow: 0 },
      { day: 2, equity: 2200, flow: 1100 },
      { day: 3, equity: 1100, flow: -1100 },
    ]);
    expect(returns.map((each) => Number(each.toFixed(12)))).toEqual([0.1, 0, 0]);
  });

  it('the error of a Sharpe ratio becomes smaller with more days', () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, index) => (((index * 7919) % 13) - 6) / 500 + 0.001);
    const [short, long] = [metrics.sharpeError(days(60)), metrics.sharpeError(days(600))];
    expect(short.value ?? 0).toBeGreaterThan((long.value ?? 0) * 2.5);
  });
});

describe('sizes', () => {
  it('explain what a market does not take', () => {
    const of = (amount: string, price: string | null = null) =>
      sizeProblems(bitcoin, { type: price ? 'limit' : 'market', amount, price, stopPrice: null }, '50000').map(
        ({ message }) => message,
      );
    expect(of('0.1')).toEqual([]);
    expect(of('0.000001')).toEqual(['Amounts of BTC have 5 digits after the point']);
    expect(of('0.00001')).toEqual(['The least is an order of 5 USDT']);
    expect(of('-1')).toEqual(['Enter an amount']);
    expect(of('100000')).toEqual(['The most is 157 BTC']);
    expect(of('0.1', '50000.001')).toEqual(['Prices of BTC/USDT have 2 digits after the point']);
    expect(of('0.1', '0')).toEqual(['Enter the price']);
    expect(amountFor(bitcoin, '100', '60000')).toBe('0.00166');
    expect(amountFor(bitcoin, '100', '0')).toBe('0');
  });
});

describe('what is known of an order', () => {
  const fill = (id: string, amount: string, at: number): Fill => ({
    id,
    amount,
    price: '100',
    fee: '0.1',
    feeAsset: 'BNB',
    at,
  });
  const fills = [fill('1', '1', 1), fill('2', '2', 2), fill('3', '3', 3)];
  const formed: KnownOrder = { state: 'formed', exchangeId: null, amount: '6', filled: '0', fills: [], reason: null };
  const report = (state: OrderReport['state'], known: Fill[]): OrderReport => ({
    ...{ clientId: 'c', exchangeId: 'x', symbol: 'A/B', side: 'buy', type: 'limit', amount: '6', price: '100' },
    ...{ stopPrice: null, state, fills: known, reason: null, at: 0 },
    filled: String(known.reduce((total, { amount }) => total + Number(amount), 0)),
  });
  const reports = [
    report('open', []),
    report('open', fills.slice(0, 1)),
    report('open', fills.slice(0, 2)),
    report('closed', fills),
    report('open', fills.slice(1, 2)),
  ];

  it('is the same in whatever order and however often reports come', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...reports, ...reports], { minLength: 10 }), (shuffled) => {
        const known = shuffled.reduce(mergeReport, formed);
        expect(known).toMatchObject({ state: 'closed', filled: '6', exchangeId: 'x' });
        expect(known.fills.map(({ id }) => id)).toEqual(['1', '2', '3']);
      }),
    );
  });

  it('an end stays the end, and a fill told after it counts', () => {
    const canceled = mergeReport(
      mergeReport(formed, report('canceled', fills.slice(0, 1))),
      report('open', fills.slice(0, 2)),
    );
    expect(canceled).toMatchObject({ state: 'canceled', filled: '3' });
    expect(averagePrice(canceled.fills)).toBe('100');
    expect(feesByAsset(canceled.fills)).toEqual({ BNB: '0.2' });
    expect(averagePrice([])).toBeNull();
  });

  it('has an id that exchanges take', () => {
    expect(clientIdOf('019a93a2-1c4b-7d3e-9a52-0c2f4e1b7a66')).toMatch(/^[A-Za-z0-9]{32}$/);
  });
});

describe('the gate', () => {
  const facts: GateFacts = { state: 'active', ordersInLastMinute: 0, tradedToday: '0', lostToday: '0', owned: '1' };
  const buy = { symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: '0.1', price: null, stopPrice: null } as const;
  const sell = { ...buy, side: 'sell' } as const;
  const check = (
    order: typeof buy | typeof sell,
    limits: Partial<typeof usualLimits>,
    of: Partial<GateFacts> = {},
    now = 1_000_000,
  ) =>
    checkGate(order, { market: bitcoin, ticker, now }, { ...usualLimits, ...limits }, { ...facts, ...of })?.code ??
    null;

  it.each([
    ['an ordinary order', buy, {}, {}, null],
    ['a halted connection', sell, {}, { state: 'halted' }, 'halted'],
    ['a purchase while reducing', buy, {}, { state: 'reducing' }, 'only_reducing'],
    ['a sale while reducing', sell, {}, { state: 'reducing' }, null],
    ['a sale of more than is owned while reducing', sell, {}, { state: 'reducing', owned: '0.05' }, 'only_reducing'],
    ['a market that is not allowed', buy, { symbols: ['ETH/USDT'] }, {}, 'symbol_not_allowed'],
    ['one order too many', buy, { ordersPerMinute: 5 }, { ordersInLastMinute: 5 }, 'too_many_orders'],
    ['too large', buy, { maxOrder: '4999' }, {}, 'order_too_large'],
    ['as large as allowed', buy, { maxOrder: '5000' }, {}, null],
    ['too much in a day', buy, { maxDay: '10000' }, { tradedToday: '5001' }, 'day_limit'],
    ['after the loss of a day', buy, { maxDailyLoss: '100' }, { lostToday: '100' }, 'daily_loss'],
    ['selling after the loss of a day', sell, { maxDailyLoss: '100' }, { lostToday: '100' }, null],
  ] as const)('%s', (_name, order, limits, of, expected) => {
    expect(check(order, limits as Partial<typeof usualLimits>, of)).toBe(expected);
  });

  it('refuses old prices, prices of zero, and orders far from the price', () => {
    expect(check(buy, {}, {}, ticker.at + 60_001)).toBe('stale_price');
    const zero = { market: bitcoin, ticker: { ...ticker, last: '0' }, now: ticker.at };
    expect(checkGate(buy, zero, usualLimits, facts)?.code).toBe('stale_price');
    const far = { ...buy, type: 'limit', price: '39999' } as const;
    expect(checkGate(far, { market: bitcoin, ticker, now: ticker.at }, usualLimits, facts)?.code).toBe(
      'too_far_from_price',
    );
    expect(
      checkGate({ ...far, price: '40000' }, { market: bitcoin, ticker, now: ticker.at }, usualLimits, facts),
    ).toBeNull();
  });
});

describe('holdings', () => {
  const entry = (kind: Entry['kind'], amount: string, price: string, fee = '0'): Entry => ({
    kind,
    asset: 'BTC',
    amount,
    price,
    fee,
  });

  it('cost their average, and a sale realises what it brought beyond', () => {
    const list = [entry('buy', '1', '100', '1'), entry('buy', '1', '200', '1'), entry('sell', '1', '300', '2')];
    expect(holdingsOf(list)).toEqual([{ asset: 'BTC', amount: '1', cost: '151', realised: '147', fees: '4' }]);
  });
  it('withdrawn are no loss, and more than was owned leaves nothing', () => {
    expect(holdingsOf([entry('deposit', '2', '50'), entry('withdrawal', '1', '10')])).toMatchObject([
      { amount: '1', cost: '50', realised: '0' },
    ]);
    expect(holdingsOf([entry('buy', '1', '100'), entry('sell', '3', '100')])).toMatchObject([
      { amount: '0', cost: '0', realised: '200' },
    ]);
  });
});

describe('rebalancing', () => {
  const free = (amount: string) => ({ free: amount, used: '0' });
  const prices: Record<string, string> = { BTC: '50000', ETH: '2500' };
  const marketOf = (asset: string) => {
    const market = demoMarkets.find(({ base }) => base === asset);
    const price = prices[asset];
    return market && price ? { market, price } : null;
  };
  it('sells first, buys then, leaves room for fees and says what it leaves alone', () => {
    const plan = rebalance(
      new Map([
        ['BTC', free('0.2')],
        ['USDT', free('0')],
        ['OLD', free('5')],
      ]),
      new Map([
        ['BTC', 0.5],
        ['ETH', 0.5],
      ]),
      'USDT',
      marketOf,
    );
    expect(plan.orders).toEqual([
      { symbol: 'BTC/USDT', side: 'sell', amount: '0.1', value: '5000' },
      { symbol: 'ETH/USDT', side: 'buy', amount: '1.998', value: '4995' },
    ]);
    expect(plan.skipped).toEqual([{ asset: 'OLD', reason: 'No market OLD/USDT has a price' }]);
  });
  it('does nothing about dust', () => {
    expect(
      rebalance(
        new Map([
          ['BTC', free('0.00001')],
          ['USDT', free('100')],
        ]),
        new Map(),
        'USDT',
        marketOf,
      ),
    ).toMatchObject({
      orders: [],
      skipped: [{ asset: 'BTC', reason: 'The least is an order of 5 USDT' }],
    });
  });
  it('counts what open orders hold, sells only what is free and says what is in the way', () => {
    const plan = rebalance(
      new Map([
        ['BTC', { free: '0.05', used: '0.15' }],
        ['USDT', free('10000')],
      ]),
      new Map([['BTC', 0.25]]),
      'USDT',
      marketOf,
    );
    expect(plan.orders).toEqual([{ symbol: 'BTC/USDT', side: 'sell', amount: '0.05', value: '2500' }]);
    expect(plan.skipped).toEqual([{ asset: 'BTC', reason: 'Open orders hold 0.15 BTC. Cancel them to sell that too' }]);
    expect(plan.shares).toEqual([{ asset: 'BTC', now: 0.5, target: 0.25, planned: 0.375 }]);
  });
  it('buys less of everything where open orders hold the money', () => {
    const plan = rebalance(
      new Map([['USDT', { free: '4995', used: '5005' }]]),
      new Map([
        ['BTC', 0.5],
        ['ETH', 0.5],
      ]),
      'USDT',
      marketOf,
    );
    expect(plan.orders).toEqual([
      { symbol: 'BTC/USDT', side: 'buy', amount: '0.04995', value: '2497.5' },
      { symbol: 'ETH/USDT', side: 'buy', amount: '0.999', value: '2497.5' },
    ]);
    expect(plan.skipped).toEqual([
      { asset: 'USDT', reason: 'Open orders hold 5005 USDT. Cancel them to buy the rest' },
    ]);
  });
});

describe('fewer candles', () => {
  it('keep the highest and the lowest', () => {
    const column = (values: number[]) => Float64Array.from(values);
    const values = Array.from({ length: 1_000 }, (_, index) => 100 + ((index * 7_919) % 613));
    const candles: Candles = {
      time: column(values.map((_, index) => index)),
      ...{
        open: column(values),
        high: column(values),
        low: column(values),
        close: column(values),
        volume: column(values),
      },
    };
    const few = thin(candles, 64);
    expect(few.time.length).toBeLessThanOrEqual(64);
    expect(Math.max(...few.high)).toBe(Math.max(...values));
    expect(Math.min(...few.low)).toBe(Math.min(...values));
    expect(few.close.at(-1)).toBe(values.at(-1));
    expect(few.volume.reduce((a, b) => a + b)).toBe(values.reduce((a, b) => a + b));
  });
});
