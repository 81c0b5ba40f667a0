import type { EventHandlers } from '../../platform/events/relay.ts';
import { notify } from '../notifications/service/notify.ts';

export const userNotifications: EventHandlers = {
  'user.followed': (ctx, { user_id, by_user_id }) =>
    notify(ctx, [user_id], { type: 'user_followed', actorId: by_user_id, key: `followed:${by_user_id}` }),
};
