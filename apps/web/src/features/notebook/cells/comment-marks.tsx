import type { Thread } from '@atoll/contract/comments/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useCommentsLive } from '../../comments/live.ts';
import { threadsQuery } from '../../comments/queries.ts';
import { projectQuery } from '../../projects/queries.ts';
import { useNotebook } from '../notebook-context.tsx';

interface CommentCounts {
  /** By cell and item. */
  counts: ReadonlyMap<string, number>;
  spots: readonly { x: number; y: number; count: number }[];
}

const Marks = createContext<CommentCounts>({ counts: new Map(), spots: [] });

/** Provides the number of unresolved comments of each cell. */
export function CommentMarks({ children }: { children: ReactNode }) {
  const { projectId, fileId } = useNotebook();
  const { data } = useInfiniteQuery(threadsQuery({ projectId, fileId }));
  const marks = useMemo(() => countsOf(data?.pages.flatMap((page) => page.entries) ?? []), [data]);
  return (
    <Marks value={marks}>
      <Live />
      {children}
    </Marks>
  );
}

function Live() {
  const { projectId } = useNotebook();
  const { data: project } = useQuery(projectQuery(projectId));
  return project ? <LiveOf permissions={project.permissions} /> : null;
}

function LiveOf({ permissions }: Pick<ProjectDetail, 'permissions'>) {
  const { projectId, fileId } = useNotebook();
  useCommentsLive({ projectId, fileId }, permissions);
  return null;
}

export const useCommentCount = (id: string): number => useContext(Marks).counts.get(id) ?? 0;
export const useCommentSpots = () => useContext(Marks).spots;

function countsOf(threads: Thread[]): CommentCounts {
  const counts = new Map<string, number>();
  const spots = new Map<string, { x: number; y: number; count: number }>();
  for (const { cell_id, item_id, spot, is_resolved, is_deleted } of threads) {
    if (is_resolved || is_deleted) continue;
    const id = cell_id ?? item_id;
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
    if (!spot) continue;
    const key = `${spot.x} ${spot.y}`;
    spots.set(key, { ...spot, count: (spots.get(key)?.count ?? 0) + 1 });
  }
  return { counts, spots: [...spots.values()] };
}

interface CommentMarkProps {
  id: string;
  number: number;
  className: string | undefined;
  children?: ReactNode;
}

export function CommentMark({ id, number, className, children }: CommentMarkProps) {
  const { ui } = useNotebook();
  const count = useCommentCount(id);
  if (count === 0) return null;
  return (
    <UnstyledButton
      className={className}
      aria-label={`${count === 1 ? '1 comment' : `${count} comments`} on cell ${number}`}
      onClick={() => ui.commentOn(id)}
    >
      {children} {count}
    </UnstyledButton>
  );
}
