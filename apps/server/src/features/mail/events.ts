import type { EventHandlers } from '../../platform/events/relay.ts';
import { adoptRefusal } from './service.ts';

export const mailEvents: EventHandlers = {
  'user.signed_up': (ctx, { user_id }) => adoptRefusal(ctx, user_id),
  'user.updated': async (ctx, { user_id, fields }) => {
    if (fields.includes('email')) await adoptRefusal(ctx, user_id);
  },
};
