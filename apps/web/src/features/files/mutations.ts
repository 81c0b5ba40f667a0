import type { ProjectFile } from '@atoll/contract/files/entity';
import { baseName, parentOf } from '@atoll/contract/files/paths';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../platform/client.ts';
import { toast, toastError, toastWithUndo } from '../../ui/toast.ts';
import { treeQuery } from './queries.ts';
import { type Tree, withMoved, without } from './tree/tree.ts';

/** Shows a change in the tree at once; the server's answer replaces it, a refusal reverts it. */
function useTreeChange(projectId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = treeQuery(projectId);
  return {
    async show(change: (tree: Tree) => Tree) {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (before) queryClient.setQueryData(queryKey, change(before));
      return before;
    },
    takeBack: (before: Tree | undefined) => before && queryClient.setQueryData(queryKey, before),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
  };
}

interface Move {
  from: string;
  to: string;
}

export function useMove(projectId: string) {
  const tree = useTreeChange(projectId);
  return useMutation({
    mutationFn: async (moves: Move[]) => {
      for (const move of moves) await client.files.move({ id: projectId, ...move });
    },
    onMutate: (moves) =>
      tree.show((shown) => moves.reduce((current, { from, to }) => withMoved(current, from, to), shown)),
    onError: (error, [first], before) => {
      tree.takeBack(before);
      toastError(error, `Could not move “${baseName(first?.from ?? '')}”`);
    },
    onSettled: tree.refresh,
  });
}

export function useDelete(projectId: string) {
  const tree = useTreeChange(projectId);
  const queryClient = useQueryClient();
  const restore = useMutation({
    mutationFn: async ({ fileIds, folders }: { fileIds: string[]; folders: string[] }) => {
      for (const fileId of fileIds) await client.files.restoreDeleted({ id: projectId, fileId });
      // Folders come back with their files, so only empty folders must be created again.
      for (const path of folders) await client.files.makeDirectory({ id: projectId, path }).catch(() => null);
    },
    onError: (error) => toastError(error, 'Could not restore everything'),
    onSettled: tree.refresh,
  });
  return useMutation({
    mutationFn: (paths: string[]) => client.files.deletePaths({ id: projectId, paths }),
    onMutate: async (paths) => {
      const before = await tree.show((shown) => without(shown, paths));
      const kept = new Set(
        queryClient.getQueryData(treeQuery(projectId).queryKey)?.directories.map(({ path }) => path),
      );
      const folders = before?.directories.map(({ path }) => path).filter((path) => !kept.has(path)) ?? [];
      return { before, folders };
    },
    onSuccess: ({ file_ids }, paths, { folders }) => {
      const what = paths.length === 1 ? `“${baseName(paths[0] ?? '')}”` : `${paths.length} items`;
      toastWithUndo(`${what} deleted.`, () => restore.mutate({ fileIds: file_ids, folders }));
    },
    onError: (error, _paths, context) => {
      tree.takeBack(context?.before);
      toastError(error, 'Could not delete');
    },
    onSettled: tree.refresh,
  });
}

export function useCreateEntry(projectId: string) {
  const tree = useTreeChange(projectId);
  return useMutation({
    mutationFn: async ({ path, isFolder }: { path: string; isFolder: boolean }): Promise<ProjectFile | null> => {
      if (!isFolder) return client.files.create({ id: projectId, name: path });
      await client.files.makeDirectory({ id: projectId, path });
      return null;
    },
    onError: (error, { path }) => toastError(error, `Could not create “${baseName(path)}”`),
    onSettled: tree.refresh,
  });
}

export function useDuplicate(projectId: string) {
  const tree = useTreeChange(projectId);
  return useMutation({
    mutationFn: (fileIds: string[]) =>
      Promise.all(fileIds.map((fileId) => client.files.duplicate({ id: projectId, fileId }))),
    onSuccess: (made) => {
      const [first] = made;
      if (first) toast(made.length === 1 ? `Created “${first.name}”.` : `Created ${made.length} copies.`);
    },
    onError: (error) => toastError(error, 'Could not duplicate'),
    onSettled: tree.refresh,
  });
}

/** Returns the moves of entries dropped into a folder; entries that are there already stay. */
export const movesInto = (paths: string[], folder: string): Move[] =>
  paths
    .filter((path) => parentOf(path) !== folder && path !== folder && !folder.startsWith(`${path}/`))
    .map((from) => ({ from, to: folder ? `${folder}/${baseName(from)}` : baseName(from) }));
