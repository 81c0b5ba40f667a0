import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { readNotification, unreadCount } from './service.ts';

export const notificationChannels = [
  channel({
    topic: topics.notifications,
    async authorize(ctx, { userId }) {
      ctx.authorize('notification.view', { userId });
    },
    joined: async (ctx, { params }) => ({ unread_count: await unreadCount(ctx.db, params.userId) }),
    commands: { notification_read: (ctx, { id }) => readNotification(ctx, id) },
  }),
];
