import type { ProjectFile } from '@atoll/contract/files/entity';
import { baseName, joinPath, parentOf } from '@atoll/contract/files/paths';
import { useQueryClient } from '@tanstack/react-query';
import { toastError, toastWithUndo } from '../../../ui/toast.ts';
import { movesInto, useCreateEntry, useDelete, useDuplicate, useMove } from '../mutations.ts';
import { treeQuery } from '../queries.ts';
import { type NewUpload, startUploads } from '../uploads.ts';
import { outermost, type Tree } from './tree.ts';
import type { Naming } from './tree-state.ts';

/** The actions on files and folders, shared by the menu, the keys and the mouse. */
export function useTreeActions(projectId: string, tree: Tree, onOpen: (file: ProjectFile) => void) {
  const queryClient = useQueryClient();
  const move = useMove(projectId);
  const remove = useDelete(projectId);
  const create = useCreateEntry(projectId);
  const duplicate = useDuplicate(projectId);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: treeQuery(projectId).queryKey });

  return {
    /** Creates or renames with the typed name. */
    async finishNaming(naming: Naming, name: string): Promise<void> {
      if (naming.kind === 'rename') {
        if (name !== baseName(naming.path)) {
          move.mutate([{ from: naming.path, to: joinPath(parentOf(naming.path), name) }]);
        }
        return;
      }
      const path = joinPath(naming.path, name);
      const made = await create.mutateAsync({ path, isFolder: naming.kind === 'folder' }).catch(() => null);
      if (made) onOpen(made);
    },
    moveInto(paths: string[], folder: string): void {
      const moves = movesInto(outermost(paths), folder);
      if (!moves.length) return;
      const back = moves.map(({ from, to }) => ({ from: to, to: from }));
      const where = folder ? `“${baseName(folder)}”` : 'the top';
      move.mutate(moves, {
        onSuccess: () =>
          toastWithUndo(
            moves.length === 1
              ? `Moved “${baseName(moves[0]?.from ?? '')}” to ${where}.`
              : `Moved ${moves.length} items to ${where}.`,
            () => move.mutate(back),
          ),
      });
    },
    remove: (paths: string[]) => remove.mutate(outermost(paths)),
    duplicate: (paths: string[]) =>
      duplicate.mutate(tree.files.filter(({ path }) => paths.includes(path)).map(({ id }) => id)),
    upload: (folder: string, files: NewUpload[]) => startUploads(projectId, folder, files, refresh),
    uploadDropped: (folder: string, dropped: Promise<NewUpload[]>) =>
      void dropped.then(
        (files) => startUploads(projectId, folder, files, refresh),
        (error) => toastError(error, 'Could not read the dropped files'),
      ),
  };
}

export type TreeActions = ReturnType<typeof useTreeActions>;
