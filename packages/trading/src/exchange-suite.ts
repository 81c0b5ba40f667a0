import { beforeEach, describe, expect, it } from 'vitest';
import { decimal, floorToStep, sum } from './decimal.ts';
import { type ExchangeAccount, ExchangeRefusal, type Market, type MarketData, type OrderRequest } from './port.ts';
import { sizeProblems } from './sizes.ts';

export interface SuiteExchange {
  data: MarketData;
  account: ExchangeAccount;
  /** A market with the quote in the account. */
  symbol: string;
  /** Lets the market fall or rise by this many percent, or time pass until it has. */
  move(percent: number): Promise<void>;
}

/** What every exchange behind the port has to do alike. */
export function exchangeSuite(name: string, start: () => Promise<SuiteExchange>): void {
  describe(name, () => {
    let exchange: SuiteExchange;
    let market: Market;
    let counter = 0;
    beforeEach(async () => {
      exchange = await start();
      const found = (await exchange.data.markets()).find(({ symbol }) => symbol === exchange.symbol);
      if (!found) throw new Error(`No market ${exchange.symbol}`);
      market = found;
    });

    const last = async () => {
      const ticker = (await exchange.data.tickers()).find(({ symbol }) => symbol === exchange.symbol);
      if (!ticker) throw new Error('No ticker');
      return ticker.last;
    };
    const near = async (percent: number) =>
      floorToStep(decimal(await last()).times(1 + percent / 100), market.priceTick).toFixed();
    const request = (change: Partial<OrderRequest>): OrderRequest => ({
      clientId: `suite${Date.now().toString(36)}${counter++}`,
      symbol: exchange.symbol,
      ...{ side: 'buy', type: 'market', amount: '0', price: null, stopPrice: null },
      ...change,
    });
    const worth = async (quote: number) => floorToStep(decimal(quote).div(await last()), market.amountStep).toFixed();
    const balance = async (asset: string) => {
      const found = (await exchange.account.balances()).find((each) => each.asset === asset);
      return { free: decimal(found?.free ?? 0), used: decimal(found?.used ?? 0) };
    };

    it('has markets, prices, a book and candles', async () => {
      const [ticker, book, candles] = await Promise.all([
        last(),
        exchange.data.book(exchange.symbol, 5),
        exchange.data.candles(exchange.symbol, '1h', Number.MAX_SAFE_INTEGER, 48),
      ]);
      expect(decimal(ticker).gt(0)).toBe(true);
      const [bid, ask] = [decimal(book.bids[0]?.price ?? 0), decimal(book.asks[0]?.price ?? 0)];
      expect(bid.gt(0) && ask.gt(bid)).toBe(true);
      expect(candles.time.length).toBe(48);
      for (let index = 1; index < 48; index++) {
        expect((candles.time[index] ?? 0) - (candles.time[index - 1] ?? 0)).toBe(3_600_000);
        expect(candles.high[index]).toBeGreaterThanOrEqual(
          Math.max(candles.open[index] ?? 0, candles.close[index] ?? 0),
        );
        expect(candles.low[index]).toBeLessThanOrEqual(Math.min(candles.open[index] ?? 0, candles.close[index] ?? 0));
      }
    });

    it('says what the key may do', async () => {
      const rights = await exchange.account.rights();
      expect(rights).toMatchObject({ canRead: true, canTrade: true, canWithdraw: false });
    });

    it('fills a market order; balances change by exactly its fills and fees', async () => {
      const before = { base: await balance(market.base), quote: await balance(market.quote) };
      const report = await exchange.account.place(request({ amount: await worth(500) }));
      expect(report.state).toBe('closed');
      const amounts = report.fills.map(({ amount }) => amount);
      expect(sum(amounts).toFixed()).toBe(report.amount);
      const cost = sum(report.fills.map(({ amount, price }) => decimal(amount).times(price)));
      const feeIn = (asset: string) =>
        sum(report.fills.filter(({ feeAsset }) => feeAsset === asset).map(({ fee }) => fee));
      const after = { base: await balance(market.base), quote: await balance(market.quote) };
      expect(after.quote.free.minus(before.quote.free).toFixed()).toBe(
        decimal(0).minus(cost).minus(feeIn(market.quote)).toFixed(),
      );
      expect(after.base.free.minus(before.base.free).toFixed()).toBe(sum(amounts).minus(feeIn(market.base)).toFixed());
    });

    it('keeps a limit order open, holds what it needs, and gives it back when it is canceled', async () => {
      const before = await balance(market.quote);
      const price = await near(-10);
      const order = request({ type: 'limit', price, amount: await worth(200) });
      expect(await exchange.account.place(order)).toMatchObject({ state: 'open', filled: '0' });
      const held = decimal(order.amount).times(price);
      const during = await balance(market.quote);
      expect(during.used.minus(before.used).toFixed()).toBe(held.toFixed());
      expect((await exchange.account.openOrders()).map(({ clientId }) => clientId)).toContain(order.clientId);
      expect(await exchange.account.cancel(order.clientId, order.symbol)).toMatchObject({ state: 'canceled' });
      expect((await balance(market.quote)).free.toFixed()).toBe(before.free.toFixed());
      expect((await exchange.account.openOrders()).map(({ clientId }) => clientId)).not.toContain(order.clientId);
    });

    it('answers what became of an order that was done before it was canceled', async () => {
      const order = request({ amount: await worth(100) });
      await exchange.account.place(order);
      expect(await exchange.account.cancel(order.clientId, order.symbol)).toMatchObject({ state: 'closed' });
    });

    it('finds an order by our id, and knows none that was never sent', async () => {
      const order = request({ amount: await worth(100) });
      const placed = await exchange.account.place(order);
      expect(await exchange.account.find(order.clientId, order.symbol)).toMatchObject({
        exchangeId: placed.exchangeId,
        state: 'closed',
        filled: order.amount,
      });
      expect(await exchange.account.find('neversent', order.symbol)).toBeNull();
    });

    it('fills a limit order when the price comes', async () => {
      const order = request({ type: 'limit', price: await near(-2), amount: await worth(100) });
      await exchange.account.place(order);
      await exchange.move(-4);
      const found = await exchange.account.find(order.clientId, order.symbol);
      expect(found).toMatchObject({ state: 'closed' });
      for (const { price } of found?.fills ?? []) expect(decimal(price).lte(order.price ?? 0)).toBe(true);
    });

    it('a stop sells what falls', async () => {
      await exchange.account.place(request({ amount: await worth(300) }));
      const stop = request({ side: 'sell', type: 'stop', stopPrice: await near(-2), amount: await worth(100) });
      expect(await exchange.account.place(stop)).toMatchObject({ state: 'open' });
      await exchange.move(-4);
      expect(await exchange.account.find(stop.clientId, stop.symbol)).toMatchObject({ state: 'closed' });
    });

    it('refuses what the market does not take, and nothing changes', async () => {
      const before = await balance(market.quote);
      const price = await last();
      const bad = [
        request({ amount: decimal(market.amountStep).div(10).toFixed() }),
        request({ amount: await worth(1_000_000_000) }),
        request({ amount: '0' }),
        request({
          type: 'limit',
          price: decimal(price).plus(decimal(market.priceTick).div(10)).toFixed(),
          amount: await worth(50),
        }),
        request({ symbol: 'NOPE/NONE', amount: '1' }),
      ];
      for (const each of bad) {
        await expect(exchange.account.place(each)).rejects.toBeInstanceOf(ExchangeRefusal);
        if (each.symbol === market.symbol && each.amount !== bad[1]?.amount) {
          expect(sizeProblems(market, each, price)).not.toEqual([]);
        }
      }
      expect((await balance(market.quote)).free.toFixed()).toBe(before.free.toFixed());
      expect((await balance(market.quote)).used.toFixed()).toBe(before.used.toFixed());
    });

    it('refuses an order whose id is open already', async () => {
      const order = request({ type: 'limit', price: await near(-10), amount: await worth(100) });
      await exchange.account.place(order);
      await expect(exchange.account.place(order)).rejects.toBeInstanceOf(ExchangeRefusal);
      expect(await exchange.account.openOrders()).toHaveLength(1);
    });
  });
}
