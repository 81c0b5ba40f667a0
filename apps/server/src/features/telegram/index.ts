import { defineFeature } from '../../platform/feature.ts';
import { telegramPolicy } from './policy.ts';
import { telegramRoutes } from './routes.ts';

/** Chats that people have linked to their accounts. */
export const telegramFeature = defineFeature({
  name: 'telegram',
  policy: telegramPolicy,
  routes: { telegram: telegramRoutes },
});
