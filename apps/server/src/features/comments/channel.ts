import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { requireProject } from '../projects/service/access.ts';
import { requireCommentable } from './service/read.ts';

export const commentChannels = [
  channel({
    topic: topics.comments,
    async authorize(ctx, { projectId }) {
      await requireCommentable(ctx, ctx.db, projectId, 'comment.view', false);
    },
    commands: {},
  }),
  channel({
    topic: topics.publicationComments,
    async authorize(ctx, { projectId, publicationId }) {
      await requireCommentable(ctx, ctx.db, projectId, 'comment.view', false, publicationId);
    },
    commands: {},
  }),
  channel({
    topic: topics.fileComments,
    async authorize(ctx, { projectId }) {
      await requireProject(ctx, ctx.db, projectId, 'project.view_source');
    },
    commands: {},
  }),
];
