import { api } from '../../platform/client.ts';

/** The notebook as it is now. Later changes come as events, so a cached answer is of no use. */
export const notebookQuery = (projectId: string, fileId: string) =>
  api.notebooks.get.queryOptions({
    input: { id: projectId, fileId },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });

/** A version of the notebook; null: the last run that succeeded. */
export const notebookVersionQuery = (projectId: string, fileId: string, versionId: string | null) =>
  api.notebooks.get.queryOptions({
    input: { id: projectId, fileId, ...(versionId === null ? { with_last_ok_run: true } : { version_id: versionId }) },
    // A version never changes; the last run may be another one by now.
    staleTime: versionId === null ? 0 : Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  });
