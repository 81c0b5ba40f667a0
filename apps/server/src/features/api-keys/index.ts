import { defineFeature } from '../../platform/feature.ts';
import { apiKeysPolicy } from './policy.ts';
import { apiKeyRoutes } from './routes.ts';

export { authenticateApiKey } from './service.ts';

export const apiKeysFeature = defineFeature({
  name: 'api-keys',
  policy: apiKeysPolicy,
  routes: { account: apiKeyRoutes },
});
