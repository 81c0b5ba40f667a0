import { api } from '../../platform/client.ts';
import type { About } from './model.ts';

const perPage = 50;

export const threadsQuery = ({ projectId, fileId, cellId, itemId, publicationId }: About) =>
  api.comments.list.infiniteOptions({
    input: (page: number) => ({
      id: projectId,
      page,
      page_size: perPage,
      project_file_id: fileId,
      cell_id: cellId,
      item_id: itemId,
      publication_id: publicationId,
    }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * perPage < total ? page + 1 : undefined),
  });
