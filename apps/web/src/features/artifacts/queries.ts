import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { apiBase } from '../../platform/http.ts';

const perPage = 30;

export const artifactsKey = (projectId: string) => ['artifacts', projectId];

/** Asked for again when files change: code may have written them. */
export const artifactsQuery = (projectId: string, filesChangedAt: number) =>
  api.artifacts.list.infiniteOptions({
    queryKey: [...artifactsKey(projectId), filesChangedAt],
    input: (page: number) => ({ id: projectId, page, page_size: perPage }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * perPage < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const artifactUrl = (projectId: string, id: string): string =>
  `${apiBase()}/v1/notebooks/${projectId}/artifacts/${id}/download`;
