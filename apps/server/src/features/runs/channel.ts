import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { requireProject } from '../projects/service/access.ts';
import { requireRun } from './service/read.ts';

export const runChannels = [
  channel({
    topic: topics.run,
    async authorize(ctx, { projectId, runId }) {
      await requireProject(ctx, ctx.db, projectId, 'project.view_history');
      await requireRun(ctx.db, projectId, runId);
    },
    commands: {},
  }),
];
