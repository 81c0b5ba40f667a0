import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const tradingDeclaration = declare({
  permissions: ['market.view', 'exchange.list', 'exchange.connect', 'exchange.change', 'trade.view', 'trade.order'],
  events: {
    'exchange.connected': z.object({ connection_id: id, user_id: id, type: z.string() }),
    'exchange.changed': z.object({ connection_id: id, user_id: id, what: z.string() }),
    'exchange.disconnected': z.object({ connection_id: id, user_id: id }),
    'order.changed': z.object({ order_id: id, user_id: id, state: z.string(), source: z.string().optional() }),
  },
});
