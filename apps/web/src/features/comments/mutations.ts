import type { Comment, Reaction } from '@atoll/contract/comments/entity';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../platform/client.ts';
import { toast, toastError } from '../../ui/toast.ts';
import { useChangeThreads } from './live.ts';
import { type About, withComment, withoutComment } from './model.ts';

export function useSay(about: About) {
  const { change } = useChangeThreads(about);
  return useMutation({
    mutationFn: ({ content, replyTo }: { content: string; replyTo?: string }) =>
      client.comments.create({
        id: about.projectId,
        content,
        publication_id: about.publicationId,
        ...(replyTo
          ? { reply_to: replyTo }
          : {
              ...{ file_id: about.fileId, cell_id: about.cellId, item_id: about.itemId, spot: about.spot },
            }),
      }),
    onSuccess: (comment) => change((threads) => withComment(threads, comment, about)),
    onError: (error) => toastError(error, 'Comment not sent'),
  });
}

/** One change of one comment: the answer replaces what is shown. */
function useCommentAct<Input>(about: About, act: (input: Input) => Promise<Comment>) {
  const { change } = useChangeThreads(about);
  return useMutation({
    mutationFn: act,
    onSuccess: (comment) => change((threads) => withComment(threads, comment, about)),
    onError: (error) => toastError(error),
  });
}

export const useUpdateComment = (about: About) =>
  useCommentAct(about, (input: { commentId: string; content?: string; is_resolved?: boolean }) =>
    client.comments.update({ id: about.projectId, ...input }),
  );

export const useReact = (about: About) =>
  useCommentAct(about, ({ commentId, reaction }: { commentId: string; reaction: Reaction | null }) =>
    reaction
      ? client.comments.react({ id: about.projectId, commentId, reaction })
      : client.comments.unreact({ id: about.projectId, commentId }),
  );

export function useDeleteComment(about: About) {
  const { change, reload } = useChangeThreads(about);
  return useMutation({
    mutationFn: (commentId: string) => client.comments.delete({ id: about.projectId, commentId }),
    onMutate: (commentId) =>
      change((threads) =>
        threads.some(({ id, replies }) => id === commentId && replies.length > 0)
          ? threads
          : withoutComment(threads, commentId),
      ),
    onError: (error) => {
      toastError(error, 'Comment not deleted');
      reload();
    },
    onSuccess: reload,
  });
}

export function useReportComment(about: About) {
  return useMutation({
    mutationFn: ({ commentId, reason }: { commentId: string; reason: string }) =>
      client.comments.report({ id: about.projectId, commentId, reason }),
    onSuccess: () => toast(about.publicationId ? 'Reported to the owner.' : 'Reported to the project owner.'),
    onError: (error) => toastError(error),
  });
}
