import { z } from 'zod';
import { id } from '../fields.ts';
import { topic } from '../topic.ts';
import { tradingOrder } from './entity.ts';

export const tradingTopic = topic('trading_transactions:{userId}', {
  permission: 'trade.view',
  flag: 'trade',
  summary: 'One’s own orders and exchanges',
  events: {
    order_changed: z.object({ order: tradingOrder }),
    exchange_changed: z.object({ connection_id: id }),
  },
});
