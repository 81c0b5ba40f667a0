import type { QueryClient } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { api } from '../../platform/client.ts';
import { projectQuery } from '../projects/queries.ts';

/** Every file and folder of a project, for the tree. */
export const treeQuery = (projectId: string) => api.files.tree.queryOptions({ input: { id: projectId } });

const versionsOnPage = 50;
export const versionsQuery = (projectId: string, fileId: string) =>
  api.files.versions.infiniteOptions({
    input: (page: number) => ({ id: projectId, fileId, page, page_size: versionsOnPage }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * versionsOnPage < total ? page + 1 : undefined),
  });

/** The page needs the project first, also for its title; the tree may follow. */
export async function loadProject(queryClient: QueryClient, projectId: string): Promise<{ title: string }> {
  try {
    const project = await queryClient.ensureQueryData(projectQuery(projectId));
    if (project.permissions.includes('view_source')) void queryClient.prefetchQuery(treeQuery(projectId));
    return { title: project.name };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) throw notFound();
    throw error;
  }
}
