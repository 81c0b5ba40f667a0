import type { QueryClient } from '@tanstack/react-query';
import { client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';
import { projectQuery } from '../projects/queries.ts';

/** Who comes by a view link may view the project from now on; its secret leaves the address bar. */
export async function openLink(queryClient: QueryClient, projectId: string, hash: string): Promise<void> {
  const secret = /^#?link=([\w-]+)$/.exec(hash)?.[1];
  if (!secret) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    await client.sharing.openLink({ id: projectId, secret });
    await queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
  } catch (error) {
    toastError(error);
  }
}
