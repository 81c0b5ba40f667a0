import { topics } from '@atoll/contract';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';

const exchangeChanged = async (
  _tx: unknown,
  { connection_id, user_id }: { connection_id: string; user_id: string },
) => [message(topics.trading, { userId: user_id }, 'exchange_changed', { connection_id })];

export const tradingBroadcasts: Broadcasts = {
  'exchange.connected': exchangeChanged,
  'exchange.changed': exchangeChanged,
  'exchange.disconnected': exchangeChanged,
};
