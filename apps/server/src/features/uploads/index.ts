import type { Feature } from '../../platform/feature.ts';
import { uploadsPolicy } from './policy.ts';
import { uploadRawRoutes } from './routes.ts';
import { sweepUploads } from './service.ts';

export { uploadRoutes } from './routes.ts';

export const uploadsFeature: Feature = {
  name: 'uploads',
  policy: uploadsPolicy,
  rawRoutes: uploadRawRoutes,
  sweep: sweepUploads,
};
