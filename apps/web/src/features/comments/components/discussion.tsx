import type { Thread } from '@atoll/contract/comments/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Skeleton } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { TextLink } from '../../../ui/links.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { NothingHere } from '../../../ui/rows.tsx';
import { treeQuery } from '../../files/queries.ts';
import { useSession } from '../../session/queries.ts';
import type { About } from '../model.ts';
import { useSay } from '../mutations.ts';
import { threadsQuery } from '../queries.ts';
import { CommentView } from './comment-view.tsx';
import classes from './comments.module.css';
import { Composer } from './composer.tsx';

interface DiscussionProps {
  about: About;
  label: string;
  canSpeak: boolean;
  /** Where there are no comments. */
  empty: string;
  isShown?(thread: Thread): boolean;
  /** To name the files that its threads are about. */
  project?: ProjectDetail;
  /** Where on the page it stands, for those who come back from signing in. */
  anchor?: string;
}

/** Threads with a field to write in, or the way to it. */
export function Discussion({ about, label, canSpeak, empty, isShown, project, anchor }: DiscussionProps) {
  const session = useSession();
  const path = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  const list = useInfiniteQuery(threadsQuery(about));
  const say = useSay(about);
  const threads = list.data?.pages.flatMap((page) => page.entries).filter((thread) => isShown?.(thread) ?? true);
  return (
    <>
      {canSpeak && (
        <Composer
          label={label}
          action="Comment"
          pending={say.isPending && !say.variables.replyTo}
          onSend={(content) => say.mutateAsync({ content })}
        />
      )}
      {session.is_guest && (
        <NothingHere>
          <TextLink to="/sign-in" search={{ return_to: anchor ? `${path}#${anchor}` : path }}>
            Sign in
          </TextLink>{' '}
          to comment.
        </NothingHere>
      )}
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      {!threads && !list.error && [1, 2].map((row) => <Skeleton key={row} height={72} />)}
      {threads?.length === 0 && <NothingHere>{empty}</NothingHere>}
      <ul className={classes.threads}>
        {threads?.map((thread) => (
          <ThreadView key={thread.id} thread={thread} about={about} project={project} canSpeak={canSpeak} />
        ))}
      </ul>
      <MoreButton list={list} size="xs" />
    </>
  );
}

interface ThreadViewProps {
  thread: Thread;
  about: About;
  project: ProjectDetail | undefined;
  canSpeak: boolean;
}

function ThreadView({ thread, about, project, canSpeak }: ThreadViewProps) {
  const say = useSay(about);
  const [isReplying, setReplying] = useState(false);
  return (
    <li className={classes.thread} data-resolved={thread.is_resolved || undefined}>
      {project && thread.file_id && thread.file_id !== about.fileId && (
        <FileName project={project} fileId={thread.file_id} cellId={thread.cell_id} />
      )}
      <CommentView comment={thread} about={about} canSpeak={canSpeak} onReply={() => setReplying(true)} />
      {(thread.replies.length > 0 || isReplying) && (
        <ul className={classes.replies}>
          {thread.replies.map((reply) => (
            <li key={reply.id}>
              <CommentView comment={reply} about={about} canSpeak={canSpeak} onReply={() => setReplying(true)} />
            </li>
          ))}
          {isReplying && (
            <li>
              <Composer
                label="Reply"
                action="Reply"
                isFocused
                pending={say.isPending}
                onCancel={() => setReplying(false)}
                onSend={(content) => say.mutateAsync({ content, replyTo: thread.id }).then(() => setReplying(false))}
              />
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

interface FileNameProps {
  project: ProjectDetail;
  fileId: string;
  cellId: string | null;
}

/** Which file a thread in the whole project's list is about. */
function FileName({ project, fileId, cellId }: FileNameProps) {
  const { data } = useQuery({ ...treeQuery(project.id), enabled: project.permissions.includes('view_source') });
  const name = data?.files.find((file) => file.id === fileId)?.name ?? 'Deleted file';
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: project.id }}
      search={{ file: fileId, panel: 'comments' }}
      hash={cellId ? `cell=${cellId}` : undefined}
      className={classes.about}
    >
      <IconFile size={13} stroke={1.6} aria-hidden />
      {cellId ? `Cell in ${name}` : name}
    </Link>
  );
}
