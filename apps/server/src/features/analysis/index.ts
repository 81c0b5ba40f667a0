import { defineFeature } from '../../platform/feature.ts';
import { analysisRoutes } from './routes.ts';

/** What one learns about a project follows from what one may do with it and with its relatives. */
export const analysisFeature = defineFeature({ name: 'analysis', policy: {}, routes: { analysis: analysisRoutes } });
