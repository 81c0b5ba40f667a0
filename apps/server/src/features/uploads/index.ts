import type { Feature } from '../../platform/feature.ts';
import { uploadsPolicy } from './policy.ts';
import { uploadRawRoutes } from './routes.ts';
import { sweepStorage } from './service/sweep.ts';

export { uploadRoutes } from './routes.ts';

export const uploadsFeature: Feature = {
  name: 'uploads',
  policy: uploadsPolicy,
  rawRoutes: uploadRawRoutes,
  sweep: sweepStorage,
};
