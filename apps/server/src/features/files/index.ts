import { defineFeature } from '../../platform/feature.ts';
import { fileChannels } from './channel.ts';
import { fileBroadcasts } from './events.ts';
import { fileRawRoutes } from './raw-routes.ts';
import { fileRoutes } from './routes.ts';
import { sweepFiles } from './service/files.ts';

/** Files have no rules of their own: what one may do with them is what one may do with their project. */
export const filesFeature = defineFeature({
  name: 'files',
  policy: {},
  routes: { files: fileRoutes },
  broadcasts: fileBroadcasts,
  channels: fileChannels,
  rawRoutes: fileRawRoutes,
  sweep: sweepFiles,
});
