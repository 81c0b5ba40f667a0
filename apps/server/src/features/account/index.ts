import { defineFeature } from '../../platform/feature.ts';
import { accountRoutes } from './routes.ts';

/** The rules are those of users. */
export const accountFeature = defineFeature({ name: 'account', policy: {}, routes: { account: accountRoutes } });
