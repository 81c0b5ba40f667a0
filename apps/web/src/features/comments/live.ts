import type { Comment, Thread } from '@atoll/contract/comments/entity';
import { commentRightsOn } from '@atoll/contract/comments/rights';
import type { ProjectAbility } from '@atoll/contract/projects/access';
import { useQueryClient } from '@tanstack/react-query';
import { readAgainIfFetching } from '../../platform/query-client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { useSession } from '../session/queries.ts';
import { type About, findComment, withComment, withoutComment } from './model.ts';
import { threadsQuery } from './queries.ts';

/** Changes the shown threads, page by page; a new one goes on top of the first. */
export function useChangeThreads(about: About) {
  const queryClient = useQueryClient();
  const { queryKey } = threadsQuery(about);
  const reload = () => void queryClient.invalidateQueries({ queryKey });
  return {
    change(work: (threads: Thread[]) => Thread[]) {
      queryClient.setQueryData(queryKey, (before) => {
        if (!before) return before;
        const sizes = before.pages.map((page) => page.entries.length);
        const all = work(before.pages.flatMap((page) => page.entries));
        const added = all.length - sizes.reduce((sum, size) => sum + size, 0);
        let from = 0;
        const pages = before.pages.map((page, index) => {
          const size = (sizes[index] ?? 0) + (index === 0 ? added : 0);
          const entries = all.slice(from, from + size);
          from += size;
          return { ...page, entries, total: page.total + added };
        });
        return { ...before, pages };
      });
      void readAgainIfFetching(queryClient, queryKey);
    },
    reload,
  };
}

type Shared = Omit<Comment, 'reaction' | 'permissions'>;

/** What others say is there at once; one's own reaction and rights are known here. */
export function useCommentsLive(about: About, abilities: readonly ProjectAbility[]): void {
  const session = useSession();
  const { change, reload } = useChangeThreads(about);
  const { projectId, publicationId } = about;
  const take = ({ comment }: { comment: Shared }) =>
    change((threads) => {
      const permissions = session.is_guest
        ? []
        : commentRightsOn({
            isAuthor: comment.author?.id === session.id,
            isDeleted: comment.is_deleted,
            isNeverResolved: comment.reply_to !== null || publicationId !== undefined,
            abilities,
          });
      const reaction = findComment(threads, comment.id)?.reaction ?? null;
      return withComment(threads, { ...comment, reaction, permissions }, about);
    });
  const handlers = {
    on: {
      comment_changed: take,
      comment_removed: ({ id }: { id: string }) => change((threads) => withoutComment(threads, id)),
    },
    onJoined: (_joined: unknown, isGap: boolean) => isGap && reload(),
  };
  const isOfFiles = !publicationId && abilities.includes('view_source');
  useTopic('publicationComments', publicationId ? { projectId, publicationId } : null, handlers);
  useTopic('comments', about.fileId || publicationId ? null : { projectId }, handlers);
  useTopic('fileComments', isOfFiles ? { projectId } : null, handlers);
}
