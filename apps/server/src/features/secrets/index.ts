import { defineFeature } from '../../platform/feature.ts';
import { secretsPolicy } from './policy.ts';
import { secretRoutes } from './routes.ts';
import { rotateSecrets } from './service.ts';

export const secretsFeature = defineFeature({
  name: 'secrets',
  policy: secretsPolicy,
  routes: { secrets: secretRoutes },
  start: rotateSecrets,
});
