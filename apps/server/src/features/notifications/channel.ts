import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { unreadCount } from './service/notify.ts';
import { readNotification } from './service/read.ts';

export const notificationChannels = [
  channel({
    topic: topics.person,
    async authorize(ctx, { userId }) {
      ctx.authorize('notification.view', { userId });
    },
    joined: async (ctx, { params }) => ({ unread_count: await unreadCount(ctx.db, params.userId) }),
    commands: { notification_read: (ctx, { id }) => readNotification(ctx, id) },
  }),
];
