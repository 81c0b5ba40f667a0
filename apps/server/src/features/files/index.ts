import type { Feature } from '../../platform/feature.ts';
import { fileChannels } from './channel.ts';
import { fileBroadcasts } from './events.ts';
import { fileRawRoutes } from './raw-routes.ts';
import { sweepFiles } from './service/files.ts';

export { fileRoutes } from './routes.ts';

/** Files have no rules of their own: what one may do with them is what one may do with their project. */
export const filesFeature: Feature = {
  name: 'files',
  policy: {},
  broadcasts: fileBroadcasts,
  channels: fileChannels,
  rawRoutes: fileRawRoutes,
  sweep: sweepFiles,
};
