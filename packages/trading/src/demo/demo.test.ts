import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../candles.ts';
import { type DecimalValue, decimal, sum } from '../decimal.ts';
import { exchangeSuite } from '../exchange-suite.ts';
import { ExchangeRefusal, type OrderRequest } from '../port.ts';
import { demoExchange, memoryStore } from './exchange.ts';
import { demoAssets } from './markets.ts';
import { demoPrices } from './prices.ts';

const start = Date.UTC(2026, 10, 18, 9, 30, 17);
const minute = 60_000;
const day = 86_400_000;
const [bitcoin, ether] = demoAssets as [(typeof demoAssets)[0], (typeof demoAssets)[0]];

function clocked(seed = 1) {
  const clock = { time: start };
  const store = memoryStore();
  const exchange = demoExchange({ seed, now: () => clock.time });
  return { clock, exchange: { ...exchange, account: (id: string) => exchange.account(id, store) } };
}

exchangeSuite('the demo exchange', async () => {
  const { clock, exchange } = clocked();
  const prices = demoPrices(1);
  return {
    data: exchange,
    account: exchange.account('someone'),
    symbol: 'ETH/USDT',
    async move(percent) {
      const to = prices.priceAt(ether, clock.time) * (1 + percent / 100);
      const at = prices.crossing(ether, clock.time, clock.time + 90 * day, to, percent < 0 ? 'down' : 'up');
      if (at === null) throw new Error('The price never gets there');
      // Resting orders get a share of what is traded each minute.
      clock.time = at + 60 * minute;
    },
  };
});

describe('prices of the demo', () => {
  const from = Math.floor(start / minute) - 400 * 1_440;

  it('are the same for the same seed wherever one begins to look, and others for another', () => {
    const whole = demoPrices(1).minutes(bitcoin, from, 5_000);
    const part = demoPrices(1).minutes(bitcoin, from + 1_234, 100);
    for (const column of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
      expect([...part[column]]).toEqual([...whole[column].subarray(1_234, 1_334)]);
    }
    expect([...demoPrices(2).minutes(bitcoin, from, 10).close]).not.toEqual([...whole.close.subarray(0, 10)]);
    expect(part.close[0]).toMatchInlineSnapshot(`71462.52`);
  });

  it('move like those of the asset: by its volatility, with nervous times, gaps, and together', () => {
    const returnsOf = (asset: typeof bitcoin) => {
      const hours = aggregate(demoPrices(1).minutes(asset, from - (from % 60), 400 * 1_440), '1h');
      return [...hours.close].slice(1).map((close, index) => Math.log(close / (hours.close[index] ?? 1)));
    };
    const mean = (values: number[]) => values.reduce((total, each) => total + each, 0) / values.length;
    const correlation = (a: number[], b: number[]) => {
      const [ma, mb] = [mean(a), mean(b)];
      const top = mean(a.map((each, index) => (each - ma) * ((b[index] ?? 0) - mb)));
      return top / Math.sqrt(mean(a.map((each) => (each - ma) ** 2)) * mean(b.map((each) => (each - mb) ** 2)));
    };
    const [btc, eth] = [returnsOf(bitcoin), returnsOf(ether)];
    const yearly = Math.sqrt(mean(btc.map((each) => each ** 2)) * 8_760);
    expect(yearly).toBeGreaterThan(bitcoin.volatility * 0.7);
    expect(yearly).toBeLessThan(bitcoin.volatility * 1.5);
    expect(correlation(btc, eth)).toBeGreaterThan(0.3);
    const sizes = btc.map(Math.abs);
    expect(correlation(sizes.slice(1), sizes.slice(0, -1))).toBeGreaterThan(0.05);
    const minutes = demoPrices(1).minutes(bitcoin, from, 100 * 1_440);
    const jumps = [...minutes.open].filter(
      (open, index) => index > 0 && Math.abs(open / (minutes.close[index - 1] ?? open) - 1) > 0.002,
    );
    expect(jumps.length).toBeGreaterThan(0);
  });

  it('of a moment lie within their minute, and a crossing is where the price is reached', () => {
    const prices = demoPrices(1);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 * day }),
        fc.double({ min: -0.03, max: 0.03, noNaN: true }),
        (offset, move) => {
          const at = start - offset;
          const candle = prices.minutes(ether, Math.floor(at / minute), 1);
          const price = prices.priceAt(ether, at);
          expect(price).toBeGreaterThanOrEqual(candle.low[0] ?? 0);
          expect(price).toBeLessThanOrEqual(candle.high[0] ?? 0);
          const limit = Number((price * (1 + move)).toFixed(2));
          if (limit === price) return;
          const crossed = prices.crossing(ether, at, at + day, limit, limit < price ? 'down' : 'up');
          if (crossed === null) {
            const later = prices.minutes(ether, Math.floor(at / minute) + 1, 1_438);
            if (limit < price) expect(Math.min(...later.low)).toBeGreaterThan(limit);
            else expect(Math.max(...later.high)).toBeLessThan(limit);
          } else {
            expect(crossed).toBeGreaterThanOrEqual(at);
            const reached = prices.priceAt(ether, crossed);
            if (limit < price) expect(reached).toBeLessThanOrEqual(limit + 0.02);
            else expect(reached).toBeGreaterThanOrEqual(limit - 0.02);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('candles of the demo', () => {
  it('of an hour are those of its minutes, five years back, and none before', async () => {
    const { exchange } = clocked();
    const hours = await exchange.candles('BTC/USDT', '1h', start, 24);
    const minutes = await exchange.candles('BTC/USDT', '1m', start, 24 * 60);
    const fromMinutes = aggregate(minutes, '1h');
    expect([...hours.high].slice(2)).toEqual([...fromMinutes.high].slice(-22));
    expect([...hours.close].slice(2)).toEqual([...fromMinutes.close].slice(-22));
    const days = await exchange.candles('BTC/USDT', '1d', start, 5_000);
    expect(days.time.length).toBe(5 * 365);
    expect(await exchange.candles('BTC/USDT', '1d', start - 6 * 365 * day, 10)).toMatchObject({ time: { length: 0 } });
  });

  it('the newest shows nothing that has not happened', async () => {
    const { exchange, clock } = clocked();
    const now = await exchange.candles('BTC/USDT', '1h', clock.time + day, 2);
    const price = (await exchange.tickers())[0]?.last;
    expect(now.close[1]).toBe(Number(price));
    clock.time += 20 * minute;
    const later = await exchange.candles('BTC/USDT', '1h', clock.time, 2);
    expect(later.open[1]).toBe(now.open[1]);
    expect(later.high[1]).toBeGreaterThanOrEqual(now.high[1] ?? 0);
    expect(later.low[1]).toBeLessThanOrEqual(now.low[1] ?? 0);
    expect(later.volume[1]).toBeGreaterThan(now.volume[1] ?? 0);
  });
});

describe('an account of the demo', () => {
  it('fills a large resting order in parts', async () => {
    const { exchange, clock } = clocked();
    const account = exchange.account('a');
    const last = Number((await exchange.tickers()).find(({ symbol }) => symbol === 'UNI/USDT')?.last);
    const order: OrderRequest = {
      ...{ clientId: 'parts', symbol: 'UNI/USDT', side: 'buy', type: 'limit', stopPrice: null },
      price: (last * 0.998).toFixed(3),
      amount: Math.floor(9_000 / last).toFixed(2),
    };
    await account.place(order);
    const states = new Set<string>();
    for (let step = 0; step < 2_000; step++) {
      clock.time += minute;
      const found = await account.find('parts', 'UNI/USDT');
      if (found)
        states.add(`${found.state} ${found.filled === '0' ? 'none' : found.state === 'open' ? 'some' : 'all'}`);
      if (found?.state === 'closed') {
        expect(found.fills.length).toBeGreaterThan(1);
        break;
      }
    }
    expect([...states]).toContain('open some');
    expect([...states]).toContain('closed all');
  });

  it('ends equal whether time passed in one step or in many', async () => {
    const outcomes = await Promise.all(
      [1, 97].map(async (steps) => {
        const { exchange, clock } = clocked();
        const account = exchange.account('a');
        const last = Number((await exchange.tickers())[0]?.last);
        for (const [index, percent] of [-0.5, -1, -2, -3].entries()) {
          const price = (last * (1 + percent / 100)).toFixed(2);
          await account.place({
            ...{ clientId: `o${index}`, symbol: 'BTC/USDT', side: 'buy', type: 'limit', stopPrice: null },
            ...{ price, amount: '0.02' },
          });
        }
        for (let step = 0; step < steps; step++) {
          clock.time += (7 * day) / steps;
          await account.openOrders();
        }
        clock.time = start + 8 * day;
        return { balances: await account.balances(), first: await account.find('o0', 'BTC/USDT') };
      }),
    );
    expect(outcomes[0]?.balances).toEqual(outcomes[1]?.balances);
    expect(outcomes[0]?.first?.fills).toEqual(outcomes[1]?.first?.fills);
  });

  it('never makes or loses money, whatever is ordered', async () => {
    const orders = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      type: fc.constantFrom(
        'market' as const,
        'limit' as const,
        'stop' as const,
        'stop_limit' as const,
        'take_profit' as const,
      ),
      asset: fc.constantFrom('BTC', 'ETH', 'XRP'),
      value: fc.integer({ min: 1, max: 9_000 }),
      percent: fc.integer({ min: -500, max: 500 }),
      wait: fc.integer({ min: 0, max: 600 }),
      cancels: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(orders, { maxLength: 25 }), async (list) => {
        const { exchange, clock } = clocked();
        const account = exchange.account('a');
        const markets = await exchange.markets();
        for (const [index, each] of list.entries()) {
          clock.time += each.wait * minute;
          const market = markets.find(({ base }) => base === each.asset);
          const ticker = (await exchange.tickers()).find(({ symbol }) => symbol === market?.symbol);
          if (!market || !ticker) throw new Error('no market');
          const price = decimal(ticker.last)
            .times(1 + each.percent / 10_000)
            .div(market.priceTick)
            .round(0)
            .times(market.priceTick)
            .toFixed();
          const amount = decimal(each.value)
            .div(price)
            .div(market.amountStep)
            .round(0)
            .times(market.amountStep)
            .toFixed();
          const isPriced = each.type === 'limit' || each.type === 'stop_limit';
          const isStopped = each.type !== 'market' && each.type !== 'limit';
          try {
            await account.place({
              ...{ clientId: `p${index}`, symbol: market.symbol, side: each.side, type: each.type, amount },
              ...{ price: isPriced ? price : null, stopPrice: isStopped ? price : null },
            });
          } catch (error) {
            expect(error).toBeInstanceOf(ExchangeRefusal);
            continue;
          }
          if (each.cancels) await account.cancel(`p${index}`, market.symbol);
        }
        clock.time += day;
        const balances = await account.balances();
        const expected = new Map<string, DecimalValue>([['USDT', decimal(10_000)]]);
        const add = (asset: string, amount: DecimalValue) =>
          expected.set(asset, (expected.get(asset) ?? decimal(0)).plus(amount));
        for (let index = 0; index < list.length; index++) {
          for (const symbol of markets.map((each) => each.symbol)) {
            const report = await account.find(`p${index}`, symbol);
            if (report?.symbol !== symbol) continue;
            const [base, quote] = symbol.split('/') as [string, string];
            expect(decimal(report.filled).lte(report.amount)).toBe(true);
            for (const fill of report.fills) {
              const sign = report.side === 'buy' ? 1 : -1;
              add(base, decimal(fill.amount).times(sign));
              add(quote, decimal(fill.amount).times(fill.price).times(-sign));
              add(fill.feeAsset, decimal(0).minus(fill.fee));
            }
          }
        }
        for (const { asset, free, used } of balances) {
          expect(decimal(free).gte(0) && decimal(used).gte(0)).toBe(true);
          expect(sum([free, used]).toFixed()).toBe((expected.get(asset) ?? decimal(0)).toFixed());
          expected.delete(asset);
        }
        for (const rest of expected.values()) expect(rest.toFixed()).toBe('0');
        const held = (await account.openOrders()).length;
        if (held === 0) for (const { used } of balances) expect(used).toBe('0');
      }),
      { numRuns: 25 },
    );
  });
});
