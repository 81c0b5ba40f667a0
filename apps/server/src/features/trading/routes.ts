import { done, endpoints } from '../../platform/http/implement.ts';
import { ownedOn, valueQuote } from './service/balances.ts';
import { connectExchange } from './service/connect.ts';
import {
  armConnection,
  changeLimits,
  deleteConnection,
  disarmConnection,
  ensureDemo,
  exchangesFor,
  haltConnection,
  listConnections,
  requireConnection,
  resetDemo,
  resumeConnection,
} from './service/connections.ts';
import { bookOf, chartOf, listAssets, marketsOf, setFavorite, tickersOf, viewOneAsset } from './service/markets.ts';
import { cancelAll, cancelOne, listOrders, previewOrder } from './service/orders.ts';
import { placeOrder } from './service/place.ts';
import { refresh } from './service/refresh.ts';
import { viewConnection, viewMarket, viewTicker } from './view.ts';

const { trading } = endpoints;

export const tradingRoutes = {
  connections: trading.connections.handler(async ({ context }) => {
    const connections = await listConnections(context);
    const exchanges = exchangesFor(context, connections);
    const has = (type: string) => connections.some((each) => each.type === type);
    return {
      exchanges,
      entries: connections.map(viewConnection),
      binance_testnet: has('binance_testnet'),
      binance: has('binance'),
      address: context.config.trading.address,
    };
  }),
  connect: trading.connect.handler(({ context, input }) => connectExchange(context, input)),
  disconnect: trading.disconnect.handler(({ context, input }) => done(deleteConnection(context, input.id))),
  changeConnection: trading.changeConnection.handler(async ({ context, input: { id, label, limits } }) =>
    viewConnection(await changeLimits(context, id, label, limits)),
  ),
  arm: trading.arm.handler(async ({ context, input: { id, max_order, max_day } }) =>
    viewConnection(await armConnection(context, id, { max_order, max_day })),
  ),
  disarm: trading.disarm.handler(async ({ context, input }) =>
    viewConnection(await disarmConnection(context, input.id)),
  ),
  halt: trading.halt.handler(async ({ context, input: { id, reason } }) =>
    viewConnection(await haltConnection(context, id, reason)),
  ),
  resume: trading.resume.handler(async ({ context, input: { id, state } }) =>
    viewConnection(await resumeConnection(context, id, state)),
  ),
  reset: trading.reset.handler(async ({ context, input }) => viewConnection(await resetDemo(context, input.id))),
  assets: trading.assets.handler(async ({ context, input }) => ({
    entries: await listAssets(context, input),
    at: context.now().toISOString(),
  })),
  asset: trading.asset.handler(({ context, input }) => viewOneAsset(context, input.id)),
  favorite: trading.favorite.handler(({ context, input }) => done(setFavorite(context, input.id, true))),
  unfavorite: trading.unfavorite.handler(({ context, input }) => done(setFavorite(context, input.id, false))),
  chart: trading.chart.handler(({ context, input }) => chartOf(context, input)),
  book: trading.book.handler(({ context, input }) => bookOf(context, input)),
  balance: trading.balance.handler(async ({ context, input }) => {
    const connection = input.connection_id
      ? await requireConnection(context, context.db, input.connection_id, 'trade.order')
      : await ensureDemo(context);
    await refresh(context, connection);
    const { entries, total } = await ownedOn(context, connection);
    return { connection_id: connection.id, quote: valueQuote, total, entries, at: context.now().toISOString() };
  }),
  demoMarkets: trading.demoMarkets.handler(async ({ context }) => ({
    entries: [...(await marketsOf(context, 'demo')).values()].map(viewMarket),
  })),
  demoTickers: trading.demoTickers.handler(async ({ context }) => ({
    entries: [...(await tickersOf(context, 'demo')).values()].map(viewTicker),
  })),
  tickers: trading.tickers.handler(async ({ context, input }) => ({
    entries: [...(await tickersOf(context, input.exchange)).values()].map(viewTicker),
  })),
  transactions: trading.transactions.handler(({ context, input: { page, page_size, ...filter } }) =>
    listOrders(context, filter, page, page_size),
  ),
  preview: trading.preview.handler(({ context, input }) => previewOrder(context, input)),
  order: trading.order.handler(({ context, input }) => placeOrder(context, input)),
  cancel: trading.cancel.handler(({ context, input }) => cancelOne(context, input.id)),
  cancelAll: trading.cancelAll.handler(async ({ context, input }) => ({
    canceled: await cancelAll(context, input.connection_id, input.symbol),
  })),
};
