import type { Thread } from '@atoll/contract/comments/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useCommentsLive } from '../../comments/live.ts';
import { threadsQuery } from '../../comments/queries.ts';
import { projectQuery } from '../../projects/queries.ts';
import { useNotebook } from './notebook-context.tsx';

const Marks = createContext<ReadonlyMap<string, number>>(new Map());

/** How much is said about each cell and not settled. */
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

export const useCommentCount = (id: string): number => useContext(Marks).get(id) ?? 0;

function countsOf(threads: Thread[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { cell_id, is_resolved, is_deleted } of threads) {
    if (cell_id && !is_resolved && !is_deleted) counts.set(cell_id, (counts.get(cell_id) ?? 0) + 1);
  }
  return counts;
}
