import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { requireProject } from '../projects/service/access.ts';
import { getFile } from './service/files.ts';

export const fileChannels = [
  channel({
    topic: topics.projectFiles,
    async authorize(ctx, { projectId }) {
      await requireProject(ctx, ctx.db, projectId, 'project.view_source');
    },
    commands: {},
  }),
  channel({
    topic: topics.file,
    async authorize(ctx, { projectId, fileId }) {
      await getFile(ctx, projectId, fileId);
    },
    commands: {},
  }),
];
