import type { Feature } from '../../platform/feature.ts';
import { usersPolicy } from './policy.ts';

export const usersFeature: Feature = { name: 'users', policy: usersPolicy };
