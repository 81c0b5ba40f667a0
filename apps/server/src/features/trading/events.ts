import { topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { exchangeConnections, tradingOrders } from './table.ts';
import { viewOrder } from './view.ts';

const exchangeChanged = async (
  _tx: unknown,
  { connection_id, user_id }: { connection_id: string; user_id: string },
) => [message(topics.trading, { userId: user_id }, 'exchange_changed', { connection_id })];

export const tradingBroadcasts: Broadcasts = {
  'order.changed': async (tx, { order_id, user_id }) => {
    const [row] = await tx
      .select({ order: tradingOrders, type: exchangeConnections.type })
      .from(tradingOrders)
      .innerJoin(exchangeConnections, eq(exchangeConnections.id, tradingOrders.connectionId))
      .where(eq(tradingOrders.id, order_id));
    if (!row) return [];
    return [message(topics.trading, { userId: user_id }, 'order_changed', { order: viewOrder(row.order, row.type) })];
  },
  'exchange.connected': exchangeChanged,
  'exchange.changed': exchangeChanged,
  'exchange.disconnected': exchangeChanged,
};
