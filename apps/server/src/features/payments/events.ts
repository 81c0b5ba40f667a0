import { topics } from '@atoll/contract';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { collectOwed } from './service/news.ts';

export const paymentBroadcasts: Broadcasts = {
  'unit_purchase.changed': async (_tx, { user_id, purchase_id, state }) => [
    message(topics.person, { userId: user_id }, 'purchase_changed', { purchase_id, state }),
  ],
};

export const paymentEvents: EventHandlers = {
  'wallet.changed': async (ctx, { user_id, amount }) => {
    if (amount > 0) await collectOwed(ctx, user_id);
  },
};
