import { baseName } from '@atoll/contract/files/paths';
import { SegmentedControl } from '@mantine/core';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import side from '../../ui/styles/side-panel.module.css';
import { projectQuery } from '../projects/queries.ts';
import { useSession } from '../session/queries.ts';
import classes from './components/comments.module.css';
import { Discussion } from './components/discussion.tsx';
import { useCommentsLive } from './live.ts';
import { type About, isAbout } from './model.ts';
import { threadsQuery } from './queries.ts';

interface CommentsPanelProps extends Omit<About, 'publicationId'> {
  /** One that is open beside it, which can be talked about by itself. */
  openFile?: { id: string; name: string };
  /** In a place that is titled already. */
  isBare?: boolean;
}

/** What is said about a project, one of its files or a cell, live; it needs nothing but to know which. */
export function CommentsPanel({ openFile, isBare, ...on }: CommentsPanelProps) {
  const { projectId, fileId, cellId, itemId, spot } = on;
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const [place, setPlace] = useState<'project' | 'file'>('project');
  const about: About = { ...on, fileId: place === 'file' ? openFile?.id : fileId };
  const session = useSession();
  const list = useInfiniteQuery(threadsQuery(about));
  useCommentsLive(about, project.permissions);
  const [shown, setShown] = useState<'open' | 'settled'>('open');
  const settled =
    list.data?.pages.flatMap((page) => page.entries).filter((thread) => thread.is_resolved && isAbout(thread, about)) ??
    [];
  const canSpeak = !session.is_guest && !project.deleted_at && project.permissions.includes('comment');
  return (
    <section className={side.panel} aria-label="Comments">
      {(!isBare || settled.length > 0) && (
        <div className={side.head}>
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
      <Discussion
        about={about}
        label={
          cellId
            ? 'Comment on this cell'
            : itemId
              ? 'Comment on this item'
              : spot
                ? 'Comment on this spot'
                : about.fileId
                  ? 'Comment on this file'
                  : 'Comment on this project'
        }
        canSpeak={canSpeak}
        empty={shown === 'open' ? 'No comments yet.' : 'No resolved comments.'}
        isShown={(thread) => thread.is_resolved === (shown === 'settled') && isAbout(thread, about)}
        project={project}
      />
    </section>
  );
}
