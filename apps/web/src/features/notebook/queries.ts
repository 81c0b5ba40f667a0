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

/** As it was; null: as the last run that succeeded left it. */
export const notebookVersionQuery = (projectId: string, fileId: string, versionId: string | null) =>
  api.notebooks.get.queryOptions({
    input: { id: projectId, fileId, ...(versionId === null ? { with_last_ok_run: true } : { version_id: versionId }) },
    // A version never changes; there may be another run by now.
    staleTime: versionId === null ? 0 : Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  });
