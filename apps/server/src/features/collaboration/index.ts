import { defineFeature } from '../../platform/feature.ts';
import { collaborationChannels } from './channel.ts';
import { keepFileLocks } from './keep-locks.ts';

/** Who is in a project and who edits what; the rules are the project's. */
export const collaborationFeature = defineFeature({
  name: 'collaboration',
  policy: {},
  channels: collaborationChannels,
  start: async (ctx) => keepFileLocks(ctx),
});
