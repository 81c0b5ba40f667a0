import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, empty, id, line, list, page, text, time } from '../fields.ts';
import {
  armingWord,
  assetId,
  bookLevel,
  chartIntervals,
  connectionLabel,
  decimalAmount,
  exchangeConnection,
  exchangeTypes,
  marketRules,
  marketSymbol,
  mostChartPoints,
  orderPreview,
  orderRequest,
  tradingAsset,
  tradingBalance,
  tradingExchange,
  tradingLimits,
  tradingOrder,
  tradingOrderStates,
  tradingTicker,
} from './entity.ts';

const tag = 'Trading';
const market = { permission: 'market.view', tag, flag: 'trade' } as const;
const view = { permission: 'trade.view', tag, flag: 'trade' } as const;
const order = { permission: 'trade.order', tag, flag: 'trade' } as const;
const change = { permission: 'exchange.change', tag, flag: 'exchanges', keyScope: 'never' } as const;
const ofConnection = z.strictObject({ id });

const decimals = z.array(z.number());

export const transactionFilter = z.strictObject({
  connection_id: id.optional(),
  symbol: marketSymbol.optional(),
  state: z.enum(tradingOrderStates).optional(),
});

export const tradingEndpoints = {
  connections: endpoint('GET', '/v1/exchange_connections', {
    permission: 'exchange.list',
    tag,
    flag: 'exchanges',
    summary: 'Exchanges, and your connections to them',
  })
    .input(empty)
    .output(
      z.object({
        exchanges: z.array(tradingExchange),
        entries: z.array(exchangeConnection),
        binance_testnet: z.boolean().describe('Whether you have a connection to it'),
        binance: z.boolean(),
        address: z.string().nullable().describe('Where this server calls from: the address to allow for a key'),
      }),
    ),

  connect: endpoint('POST', '/v1/exchange_connections', {
    permission: 'exchange.connect',
    tag,
    flag: 'exchanges',
    keyScope: 'never',
    summary: 'Connect an exchange',
    description:
      'The key is checked before it is stored: it must belong to this exchange, may read and trade, and must not be able to withdraw or transfer.',
  })
    .input(
      z.strictObject({
        type: z.enum(exchangeTypes),
        label: connectionLabel.default(''),
        api_key: line(200).min(8, 'Enter the API key'),
        secret: text(10_000).min(8, 'Enter the secret key'),
      }),
    )
    .output(exchangeConnection.extend({ warnings: z.array(z.string()) })),

  disconnect: endpoint('DELETE', '/v1/exchange_connections/{id}', {
    ...change,
    summary: 'Delete a connection and its key',
    description: 'Open orders are canceled first. What was traded stays in the history.',
  })
    .input(ofConnection)
    .output(done),

  changeConnection: endpoint('PATCH', '/v1/exchange_connections/{id}', {
    ...change,
    summary: 'Change name and limits',
    description: 'Raising a limit of real money needs a recent sign-in.',
  })
    .input(ofConnection.extend({ label: connectionLabel.optional(), limits: tradingLimits.partial().optional() }))
    .output(exchangeConnection),

  arm: endpoint('POST', '/v1/exchange_connections/{id}/arm', {
    ...change,
    summary: 'Allow orders with real money',
    description: `Needs the word ${armingWord}, a limit for one order, one for a day that is not lower, and a recent sign-in.`,
  })
    .input(
      ofConnection.extend({
        confirmation: z.literal(armingWord, `Type ${armingWord}`),
        max_order: decimalAmount,
        max_day: decimalAmount,
      }),
    )
    .output(exchangeConnection),
  disarm: endpoint('POST', '/v1/exchange_connections/{id}/disarm', { ...change, summary: 'Allow no more orders' })
    .input(ofConnection)
    .output(exchangeConnection),

  halt: endpoint('POST', '/v1/exchange_connections/{id}/halt', {
    ...change,
    summary: 'Cancel all orders and take no more',
    description: 'It stays halted, also when the server starts again, until it is resumed.',
  })
    .input(ofConnection.extend({ reason: line(200).default('') }))
    .output(exchangeConnection),
  resume: endpoint('POST', '/v1/exchange_connections/{id}/resume', {
    ...change,
    summary: 'Take orders again, or only those that sell',
  })
    .input(ofConnection.extend({ state: z.enum(['active', 'reducing']).default('active') }))
    .output(exchangeConnection),

  reset: endpoint('POST', '/v1/exchange_connections/{id}/reset', {
    ...change,
    summary: 'Give the demo account its starting balance again',
  })
    .input(ofConnection)
    .output(exchangeConnection),

  assets: endpoint('GET', '/v1/trading/assets', { ...market, summary: 'What is traded on an exchange' })
    .input(
      z.strictObject({
        exchange: z.enum(exchangeTypes).default('demo'),
        search: line(60).optional(),
      }),
    )
    .output(z.object({ entries: z.array(tradingAsset), at: time })),

  asset: endpoint('GET', '/v1/trading/assets/{id}', { ...market, summary: 'One asset' })
    .input(z.strictObject({ id: assetId }))
    .output(
      tradingAsset.extend({
        market: marketRules,
        high_24h: z.number().nullable(),
        low_24h: z.number().nullable(),
        links: z.array(z.object({ title: z.string(), url: z.string() })),
      }),
    ),

  favorite: endpoint('PUT', '/v1/trading/assets/{id}/favorite', {
    ...market,
    permission: 'trade.view',
    summary: 'Mark as a favorite',
  })
    .input(z.strictObject({ id: assetId }))
    .output(done),
  unfavorite: endpoint('DELETE', '/v1/trading/assets/{id}/favorite', {
    ...market,
    permission: 'trade.view',
    summary: 'Unmark',
  })
    .input(z.strictObject({ id: assetId }))
    .output(done),

  chart: endpoint('GET', '/v1/trading/chart', {
    ...market,
    summary: 'Candles as columns, the newest last',
    description: `At most ${mostChartPoints}: of a longer time, each stands for several and is as high and as low as they were.`,
  })
    .input(
      z.strictObject({
        asset: assetId,
        interval: z.enum(chartIntervals).default('1h'),
        from: time.optional().describe('The newest 500 unless said'),
        to: time.optional(),
      }),
    )
    .output(
      z.object({
        interval: z.enum(chartIntervals),
        time: z.array(z.number()).describe('When each opens, in seconds since 1970'),
        open: decimals,
        high: decimals,
        low: decimals,
        close: decimals,
        volume: decimals,
        is_thinned: z.boolean(),
      }),
    ),

  book: endpoint('GET', '/v1/trading/book', { ...market, summary: 'The order book' })
    .input(z.strictObject({ asset: assetId, depth: page(12, 50) }))
    .output(
      z.object({
        bids: z.array(bookLevel),
        asks: z.array(bookLevel),
        at: time,
      }),
    ),

  balance: endpoint('GET', '/v1/trading/balance', { ...view, summary: 'What you own on an exchange' })
    .input(z.strictObject({ connection_id: id.optional().describe('The demo unless said') }))
    .output(
      z.object({
        connection_id: id,
        quote: z.string(),
        total: z.string().describe('In the quote'),
        entries: z.array(tradingBalance),
        at: time,
      }),
    ),

  demoMarkets: endpoint('GET', '/v1/trading/demo/markets', { ...market, summary: 'The markets of the demo' })
    .input(empty)
    .output(z.object({ entries: z.array(marketRules) })),
  demoTickers: endpoint('GET', '/v1/trading/demo/tickers', { ...market, summary: 'The prices of the demo now' })
    .input(empty)
    .output(z.object({ entries: z.array(tradingTicker) })),
  tickers: endpoint('GET', '/v1/trading/tickers', { ...market, summary: 'The prices of an exchange' })
    .input(z.strictObject({ exchange: z.enum(exchangeTypes).default('demo') }))
    .output(z.object({ entries: z.array(tradingTicker) })),

  transactions: endpoint('GET', '/v1/trading/transactions', { ...view, summary: 'Your orders, newest first' })
    .input(transactionFilter.extend({ page: page(1), page_size: page(10, 100) }))
    .output(list(tradingOrder)),

  preview: endpoint('POST', '/v1/trading/orders/preview', {
    ...order,
    limit: 'read',
    summary: 'What an order would cost, and whether it would be taken',
  })
    .input(orderRequest.omit({ request_id: true }))
    .output(orderPreview),

  order: endpoint('POST', '/v1/trading/orders', {
    ...order,
    summary: 'Place an order',
    description:
      'It is stored before it is sent. `state` is `formed` where the exchange has not answered yet: changes follow on the topic `trading_transactions`. Sent again with the same `request_id`, it answers the same order.',
  })
    .input(orderRequest)
    .output(tradingOrder),
  cancel: endpoint('DELETE', '/v1/trading/orders/{id}', { ...order, summary: 'Cancel an order' })
    .input(z.strictObject({ id }))
    .output(tradingOrder),
  cancelAll: endpoint('POST', '/v1/trading/orders/cancel_all', { ...order, summary: 'Cancel all open orders' })
    .input(z.strictObject({ connection_id: id, symbol: marketSymbol.optional() }))
    .output(z.object({ canceled: z.int() })),
};

export const tradingRawEndpoints = {
  csv: rawEndpoint('GET', '/v1/trading/transactions/csv', { ...view, summary: 'Your orders as csv' }),
};
