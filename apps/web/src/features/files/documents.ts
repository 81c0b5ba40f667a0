import type { ProjectFile } from '@atoll/contract/files/entity';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { api } from '../../platform/client.ts';
import { readText } from './content.ts';
import { type News, OpenDocument, type SaveState } from './editor/document.ts';
import { treeQuery } from './queries.ts';

/** All documents opened on this visit, so that unsaved ones are found before the page is left. */
const opened = new Set<OpenDocument>();
const unsaved = () => [...opened].filter((document) => document.isDirty);

window.addEventListener('beforeunload', (event) => {
  const left = unsaved();
  if (left.length) event.preventDefault();
  for (const document of left) void document.save();
});
window.addEventListener('online', () => {
  for (const document of unsaved()) void document.save();
});

/** Saves all documents of a project, so that the next action on its files uses the text on the screen. */
export async function saveAll(projectId: string): Promise<void> {
  for (const document of unsaved().filter(({ file }) => file.project_id === projectId)) {
    await document.save();
    if (document.isDirty && document.state.kind !== 'waiting')
      throw new Error(`${document.file.name} ${whyUnsaved(document.state)}`);
  }
}

function whyUnsaved(state: SaveState): string {
  if (state.kind === 'conflict') return 'has a newer version. Resolve the conflict, then try again.';
  if (state.kind === 'held') return 'is being edited by someone else. Your changes are not saved.';
  return `could not be saved. ${state.kind === 'failed' ? state.reason : ''}`;
}

/** Puts a saved file into the cached tree, so that it need not be loaded again. */
export function keepFile(queryClient: QueryClient, file: ProjectFile): void {
  queryClient.setQueryData(
    treeQuery(file.project_id).queryKey,
    (tree) => tree && { ...tree, files: tree.files.map((each) => (each.id === file.id ? file : each)) },
  );
  void queryClient.invalidateQueries({ queryKey: api.files.versions.key({ input: { fileId: file.id } }) });
}

const documentQuery = (file: ProjectFile, queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['document', file.id],
    queryFn: async () => {
      const document = new OpenDocument(file, await readText(file), (saved) => keepFile(queryClient, saved));
      opened.add(document);
      return document;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });

/** The document of a file; it follows saves of others while nothing is typed here. */
export function useDocument(file: ProjectFile) {
  const queryClient = useQueryClient();
  const query = useQuery(documentQuery(file, queryClient));
  const document = query.data;
  useEffect(() => void document?.follow(file), [document, file]);
  return query;
}

const nothing = () => () => {};
const saved: SaveState = { kind: 'saved' };

export const useSaveState = (document: OpenDocument | undefined): SaveState =>
  useSyncExternalStore(document?.subscribe ?? nothing, document?.getState ?? (() => saved));

/** Changes whenever the text was replaced from outside the editor. */
export const useEpoch = (document: OpenDocument): number => useSyncExternalStore(document.subscribe, document.getEpoch);

export const useNews = (document: OpenDocument): News | null =>
  useSyncExternalStore(document.subscribe, document.getNews);
