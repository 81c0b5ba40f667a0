import { api } from '../../platform/client.ts';

/** As it is now. What comes after it is told, so an old answer is of no use. */
export const notebookQuery = (projectId: string, fileId: string) =>
  api.notebooks.get.queryOptions({
    input: { id: projectId, fileId },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });

/** As it was. */
export const notebookVersionQuery = (projectId: string, fileId: string, versionId: string) =>
  api.notebooks.get.queryOptions({
    input: { id: projectId, fileId, version_id: versionId },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  });
