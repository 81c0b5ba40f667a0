import type { Project } from '@atoll/contract/projects/entity';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { projectQuery } from '../projects/queries.ts';
import { treeQuery } from './queries.ts';
import { patchTree } from './tree/tree-patch.ts';

/** A project's page follows what others do to the project and its files. */
export function useProjectLive({ id, permissions }: Project): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { queryKey } = treeQuery(id);
  const reload = () => queryClient.invalidateQueries({ queryKey });
  const reloadProject = () => queryClient.invalidateQueries({ queryKey: projectQuery(id).queryKey });

  useTopic('projectFiles', permissions.includes('view_source') ? { projectId: id } : null, {
    on: {
      files_changed(change) {
        const tree = queryClient.getQueryData(queryKey);
        const patched = tree && patchTree(tree, change);
        // An answer that is on its way may have been read before this happened.
        if (patched && !queryClient.isFetching({ queryKey })) queryClient.setQueryData(queryKey, patched);
        else void reload();
      },
      async project_changed({ fields }) {
        if (fields.includes('collaborators'))
          void queryClient.invalidateQueries({ queryKey: api.sharing.listUsers.key() });
        await reloadProject();
        // The page's title is its loader's.
        await router.invalidate();
      },
    },
    onJoined(_joined, isGap) {
      if (!isGap) return;
      void reload();
      void reloadProject();
    },
    // The project says what is left: nothing, or less than before.
    onLost: () => void reloadProject(),
  });
}

/** The versions of the file that is shown. */
export function useFileLive(projectId: string, fileId: string | undefined): void {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: api.files.versions.key({ input: { fileId } }) });
  useTopic('file', fileId ? { projectId, fileId } : null, {
    on: { file_changed: () => void reload() },
    onJoined: (_joined, isGap) => void (isGap && reload()),
  });
}
