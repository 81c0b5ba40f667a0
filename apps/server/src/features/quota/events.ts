import type { EventHandlers } from '../../platform/events/relay.ts';
import { carryGuestUse } from './service/guests.ts';

/** A guest who gets an account keeps what was used as a guest, whichever way in. */
export const quotaEvents: EventHandlers = {
  'guest.merged': (ctx, { guest_user_id, user_id }) => carryGuestUse(ctx, guest_user_id, user_id),
  'user.signed_up': async (ctx, { user_id, was_guest }) => {
    if (was_guest) await carryGuestUse(ctx, user_id, user_id);
  },
};
