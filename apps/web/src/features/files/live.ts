import type { Project } from '@atoll/contract/projects/entity';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { projectQuery } from '../projects/queries.ts';
import { treeQuery } from './queries.ts';
import { patchTree } from './tree/tree-patch.ts';

/** Keeps a project's page up to date with changes by others to the project and its files. */
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
        // An answer that is on its way may have been read before this event.
        if (patched && !queryClient.isFetching({ queryKey })) queryClient.setQueryData(queryKey, patched);
        else void reload();
      },
      async project_changed({ fields }) {
        if (fields.includes('collaborators'))
          void queryClient.invalidateQueries({ queryKey: api.sharing.listUsers.key() });
        await reloadProject();
        // The page's title comes from its loader.
        await router.invalidate();
      },
    },
    onJoined(_joined, isGap) {
      if (!isGap) return;
      void reload();
      void reloadProject();
    },
    // Loading the project shows which rights are left: none, or fewer than before.
    onLost: () => void reloadProject(),
  });
}

/** Keeps the versions of the shown file up to date. */
export function useFileLive(projectId: string, fileId: string | undefined): void {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: api.files.versions.key({ input: { fileId } }) });
  useTopic('file', fileId ? { projectId, fileId } : null, {
    on: { file_changed: () => void reload() },
    onJoined: (_joined, isGap) => void (isGap && reload()),
  });
}
