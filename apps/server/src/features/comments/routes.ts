import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { listThreads } from './service/read.ts';
import { createComment, deleteComment, react, reportComment, updateComment } from './service/write.ts';
import { commentView, threadView } from './view.ts';

const { comments } = endpoints;

export const commentRoutes = {
  list: comments.list.handler(async ({ context, input }) => {
    const { threads, total } = await listThreads(context, input.id, input);
    return pageOf(input, { entries: threads.map(threadView), total });
  }),
  create: comments.create.handler(async ({ context, input: { id, ...comment } }) =>
    commentView(await createComment(context, id, comment)),
  ),
  update: comments.update.handler(async ({ context, input: { id, commentId, ...update } }) =>
    commentView(await updateComment(context, id, commentId, update)),
  ),
  delete: comments.delete.handler(({ context, input }) => done(deleteComment(context, input.id, input.commentId))),
  react: comments.react.handler(async ({ context, input }) =>
    commentView(await react(context, input.id, input.commentId, input.reaction)),
  ),
  unreact: comments.unreact.handler(async ({ context, input }) =>
    commentView(await react(context, input.id, input.commentId, null)),
  ),
  report: comments.report.handler(({ context, input }) =>
    done(reportComment(context, input.id, input.commentId, input.reason)),
  ),
};
