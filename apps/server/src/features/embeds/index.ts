import { defineFeature } from '../../platform/feature.ts';
import { embedPages } from './pages.ts';
import { embedsPolicy } from './policy.ts';
import { embedRoutes } from './routes.ts';

export const embedsFeature = defineFeature({
  name: 'embeds',
  policy: embedsPolicy,
  routes: { embeds: embedRoutes },
  pages: embedPages,
});
