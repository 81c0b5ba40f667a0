import { defineFeature } from '../../platform/feature.ts';
import { themePolicy } from './policy.ts';
import { themeRoutes } from './routes.ts';

export { currentTheme } from './service.ts';

export const themeFeature = defineFeature({ name: 'theme', policy: themePolicy, routes: { theme: themeRoutes } });
