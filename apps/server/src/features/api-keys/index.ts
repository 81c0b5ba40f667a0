import type { Feature } from '../../platform/feature.ts';
import { apiKeysPolicy } from './policy.ts';

export { apiKeyRoutes } from './routes.ts';
export { authenticateApiKey } from './service.ts';

export const apiKeysFeature: Feature = { name: 'api-keys', policy: apiKeysPolicy };
