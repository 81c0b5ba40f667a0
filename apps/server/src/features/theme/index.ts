import type { Feature } from '../../platform/feature.ts';
import { themePolicy } from './policy.ts';

export { themeRoutes } from './routes.ts';
export { currentTheme } from './service.ts';

export const themeFeature: Feature = { name: 'theme', policy: themePolicy };
