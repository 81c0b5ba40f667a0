import { defineFeature } from '../../platform/feature.ts';
import { uploadsPolicy } from './policy.ts';
import { uploadRawRoutes, uploadRoutes } from './routes.ts';
import { sweepStorage } from './service/sweep.ts';

export const uploadsFeature = defineFeature({
  name: 'uploads',
  policy: uploadsPolicy,
  routes: { uploads: uploadRoutes },
  rawRoutes: uploadRawRoutes,
  sweep: sweepStorage,
});
