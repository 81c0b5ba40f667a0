import type { Feature } from '../../platform/feature.ts';
import { notificationChannels } from './channel.ts';
import { notificationEvents } from './events.ts';
import { notificationsPolicy } from './policy.ts';

export const notificationsFeature: Feature = {
  name: 'notifications',
  policy: notificationsPolicy,
  events: notificationEvents,
  channels: notificationChannels,
};
