import type { Feature } from '../../platform/feature.ts';
import { commentChannels } from './channel.ts';
import { commentBroadcasts } from './events.ts';
import { commentsPolicy } from './policy.ts';

export { commentRoutes } from './routes.ts';

export const commentsFeature: Feature = {
  name: 'comments',
  policy: commentsPolicy,
  channels: commentChannels,
  broadcasts: commentBroadcasts,
};
