import type { Thread } from '@atoll/contract/comments/entity';
import { baseName } from '@atoll/contract/files/paths';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { TextLink } from '../../../ui/links.tsx';
import { NothingHere } from '../../../ui/rows.tsx';
import { treeQuery } from '../../files/queries.ts';
import { projectQuery } from '../../projects/queries.ts';
import { useSession } from '../../session/queries.ts';
import { useCommentsLive } from '../live.ts';
import type { About } from '../model.ts';
import { useSay } from '../mutations.ts';
import { threadsQuery } from '../queries.ts';
import { CommentView } from './comment-view.tsx';
import classes from './comments.module.css';
import { Composer } from './composer.tsx';

interface CommentsPanelProps extends About {
  /** One that is open beside it, which can be talked about by itself. */
  openFile?: { id: string; name: string };
  /** In a place that is titled already. */
  isBare?: boolean;
}

/** What is said about a project, one of its files or a cell, live; it needs nothing but to know which. */
export function CommentsPanel({ projectId, fileId, cellId, openFile, isBare }: CommentsPanelProps) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const [place, setPlace] = useState<'project' | 'file'>('project');
  const about: About = { projectId, fileId: place === 'file' ? openFile?.id : fileId, cellId };
  const session = useSession();
  const list = useInfiniteQuery(threadsQuery(about));
  useCommentsLive(project, about);
  const say = useSay(about);
  const [shown, setShown] = useState<'open' | 'settled'>('open');
  const threads = list.data?.pages.flatMap((page) => page.entries);
  const settled = threads?.filter((thread) => thread.is_resolved) ?? [];
  const visible = threads?.filter((thread) => thread.is_resolved === (shown === 'settled'));
  const canSpeak = !session.is_guest && !project.deleted_at && project.permissions.includes('comment');
  return (
    <section className={classes.panel} aria-label="Comments">
      {(!isBare || settled.length > 0) && (
        <div className={classes.head}>
          {!isBare && <h2>Comments</h2>}
          {settled.length > 0 && (
            <SegmentedControl
              aria-label="Which comments"
              size="xs"
              value={shown}
              onChange={(next) => setShown(next as typeof shown)}
              data={[
                { value: 'open', label: 'Open' },
                { value: 'settled', label: `Resolved (${settled.length})` },
              ]}
            />
          )}
        </div>
      )}
      {openFile && (
        <SegmentedControl
          aria-label="Comments on"
          size="xs"
          fullWidth
          className={classes.place}
          value={place}
          onChange={(next) => setPlace(next as typeof place)}
          data={[
            { value: 'project', label: 'Whole project' },
            { value: 'file', label: baseName(openFile.name) },
          ]}
        />
      )}
      {canSpeak ? (
        <Composer
          label={cellId ? 'Comment on this cell' : about.fileId ? 'Comment on this file' : 'Comment on this project'}
          action="Comment"
          pending={say.isPending && !say.variables.replyTo}
          onSend={(content) => say.mutateAsync({ content })}
        />
      ) : (
        session.is_guest && (
          <NothingHere>
            <TextLink to="/sign-in">Sign in</TextLink> to comment.
          </NothingHere>
        )
      )}
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      {!threads && !list.error && [1, 2].map((row) => <Skeleton key={row} height={72} />)}
      {visible?.length === 0 && (
        <NothingHere>{shown === 'open' ? 'No comments yet.' : 'No resolved comments.'}</NothingHere>
      )}
      <ul className={classes.threads}>
        {visible?.map((thread) => (
          <ThreadView key={thread.id} thread={thread} about={about} project={project} canSpeak={canSpeak} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}

interface ThreadViewProps {
  thread: Thread;
  about: About;
  project: ProjectDetail;
  canSpeak: boolean;
}

function ThreadView({ thread, about, project, canSpeak }: ThreadViewProps) {
  const say = useSay(about);
  const [isReplying, setReplying] = useState(false);
  return (
    <li className={classes.thread} data-resolved={thread.is_resolved || undefined}>
      {thread.file_id && thread.file_id !== about.fileId && (
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
      {name}
      {cellId && ', a cell'}
    </Link>
  );
}
