import { topics } from '@atoll/contract';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { notify } from '../notifications/service/notify.ts';
import { renewIfDue } from './service/renew.ts';

export const subscriptionBroadcasts: Broadcasts = {
  'subscription.changed': async (_tx, { user_id }) => [
    message(topics.person, { userId: user_id }, 'subscription_changed', {}),
  ],
};

export const subscriptionEvents: EventHandlers = {
  'wallet.changed': async (ctx, { user_id, amount }) => {
    if (amount > 0) await renewIfDue(ctx, user_id);
  },
};

export const subscriptionNotifications: EventHandlers = {
  'subscription.changed': async (ctx, { user_id, change_id, notice }) => {
    if (notice)
      await notify(ctx, [user_id], {
        type: 'subscription_notice',
        actorId: null,
        metadata: { reason: notice },
        key: `subscription:${change_id}`,
      });
  },
  'subscription.due': (ctx, { user_id, notice, key }) =>
    notify(ctx, [user_id], { type: 'subscription_notice', actorId: null, metadata: { reason: notice }, key }),
};
