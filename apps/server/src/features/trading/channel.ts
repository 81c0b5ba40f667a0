import { type ExchangeType, exchangeTypes, topics } from '@atoll/contract';
import { notFound } from '../../platform/errors.ts';
import { channel } from '../../platform/realtime/channel.ts';
import { requireReachable } from './service/exchanges.ts';
import { livePrices } from './service/live-prices.ts';
import { parseAssetId, requireAsset } from './service/markets.ts';

const exchangeOf = (text: string): ExchangeType => {
  const type = exchangeTypes.find((each) => each === text);
  if (!type) throw notFound('This exchange');
  return type;
};

export const tradingChannels = [
  channel({
    topic: topics.trading,
    async authorize(ctx, { userId }) {
      if (ctx.actor.userId !== userId) throw notFound('This topic');
    },
    commands: {},
  }),
  channel({
    topic: topics.marketPrices,
    async authorize(ctx, { exchange }) {
      const type = exchangeOf(exchange);
      if (type !== 'demo') requireReachable(ctx, type);
    },
    joined: async (ctx, call) => livePrices(ctx).watch(exchangeOf(call.params.exchange), call, null),
    left: async (ctx, { params, channel }) => livePrices(ctx).unwatch(exchangeOf(params.exchange), channel),
    commands: {},
  }),
  channel({
    topic: topics.market,
    async authorize(ctx, { asset }) {
      const type = exchangeOf(parseAssetId(asset).type);
      if (type !== 'demo') requireReachable(ctx, type);
    },
    async joined(ctx, call) {
      const { type, market } = await requireAsset(ctx, call.params.asset);
      return livePrices(ctx).watch(type, call, market.symbol);
    },
    left: async (ctx, { params, channel }) => livePrices(ctx).unwatch(parseAssetId(params.asset).type, channel),
    commands: {},
  }),
];
