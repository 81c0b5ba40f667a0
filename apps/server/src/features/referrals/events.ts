import { topics } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { cancelReferral, matchReferral, noteReferral } from './service/use.ts';

const ended = (ctx: Context, { user_id }: { user_id: string }) => cancelReferral(ctx, user_id);

export const referralEvents: EventHandlers = {
  'user.suspended': ended,
  'user.deleted': ended,
  'user.signed_up': async (ctx, event) => {
    await noteReferral(ctx, event);
    await matchReferral(ctx, event.user_id);
  },
  // What waits for the address to be confirmed.
  'user.updated': async (ctx, { user_id, fields }) => {
    if (fields.includes('email')) await matchReferral(ctx, user_id);
  },
};

export const referralBroadcasts: Broadcasts = {
  'referral.used': async (_tx, { owner_id }) =>
    owner_id ? [message(topics.person, { userId: owner_id }, 'referrals_changed', {})] : [],
};
