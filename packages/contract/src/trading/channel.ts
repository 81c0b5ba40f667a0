import { z } from 'zod';
import { id } from '../fields.ts';
import { topic } from '../topic.ts';
import { bookLevel, tradingOrder } from './entity.ts';

export const tradingTopic = topic('trading_transactions:{userId}', {
  permission: 'trade.view',
  flag: 'trade',
  summary: 'One’s own orders and exchanges',
  events: {
    order_changed: z.object({ order: tradingOrder }),
    exchange_changed: z.object({ connection_id: id }),
  },
});

const marketTopic = { permission: 'market.view', flag: 'trade', isPassing: true } as const;
const joined = z.object({ is_live: z.boolean().describe('Prices come as they change; otherwise once a minute') });
const price = z.object({ last: z.string(), change: z.number().nullable(), volume: z.string().nullable() });

export const marketPricesTopic = topic('market_prices:{exchange}', {
  ...{ ...marketTopic, joined, summary: 'Prices of an exchange that changed, at most five times a second' },
  events: {
    prices_changed: z.object({ entries: z.array(price.extend({ symbol: z.string() })) }),
    source_changed: joined,
  },
});

export const marketTopicOfAsset = topic('market:{asset}', {
  ...{ ...marketTopic, joined, summary: 'Price and order book of one asset' },
  events: {
    price_changed: price.extend({ at: z.string() }),
    book_changed: z.object({ bids: z.array(bookLevel), asks: z.array(bookLevel), at: z.string() }),
    source_changed: joined,
  },
});
