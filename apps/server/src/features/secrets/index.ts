import type { Feature } from '../../platform/feature.ts';
import { secretsPolicy } from './policy.ts';
import { rotateSecrets } from './service.ts';

export { secretRoutes } from './routes.ts';

export const secretsFeature: Feature = { name: 'secrets', policy: secretsPolicy, start: rotateSecrets };
