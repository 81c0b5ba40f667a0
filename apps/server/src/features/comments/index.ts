import { defineFeature } from '../../platform/feature.ts';
import { commentChannels } from './channel.ts';
import { commentBroadcasts } from './events.ts';
import { commentNotifications } from './notifications.ts';
import { commentsPolicy } from './policy.ts';
import { commentRoutes } from './routes.ts';
import { namesOfComments } from './service/names.ts';

export const commentsFeature = defineFeature({
  name: 'comments',
  policy: commentsPolicy,
  routes: { comments: commentRoutes },
  channels: commentChannels,
  broadcasts: commentBroadcasts,
  notifications: commentNotifications,
  entities: { comment: namesOfComments },
});
