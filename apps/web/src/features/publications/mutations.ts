import type { Publication, PublicationDetail } from '@atoll/contract/publications/entity';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, client } from '../../platform/client.ts';
import { toast, toastError } from '../../ui/toast.ts';
import { refreshLists, toastProjectError } from '../projects/mutations.ts';

const detailKey = api.publications.bySlug.key();

/** Shown at once, and as it was when it is refused. */
export function useClap({ id }: Publication) {
  const queryClient = useQueryClient();
  const show = (change: (known: PublicationDetail) => Partial<PublicationDetail>) =>
    queryClient.setQueriesData<PublicationDetail>({ queryKey: detailKey }, (known) =>
      known?.id === id ? { ...known, ...change(known) } : known,
    );
  const change = (isClapped: boolean) =>
    show(({ clap_count, has_clapped }) => ({
      has_clapped: isClapped,
      clap_count: clap_count + Number(isClapped) - Number(has_clapped),
    }));
  return useMutation({
    mutationFn: (isClapped: boolean) =>
      isClapped ? client.publications.clap({ id }) : client.publications.unclap({ id }),
    onMutate: change,
    onSuccess: (counted) => show(() => counted),
    onError: (error, isClapped) => {
      change(!isClapped);
      toastError(error);
    },
  });
}

export function useCloneOf({ project }: Publication) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: () => client.projects.clone({ id: project.id }),
    onSuccess: async (made) => {
      void refreshLists(queryClient);
      await router.navigate({ to: '/projects/$projectId', params: { projectId: made.id } });
      toast(`Cloned as “${made.name}”.`);
    },
    onError: (error) => toastProjectError(error, 'Could not clone the project'),
  });
}

/** A copy of their own, opened as a notebook. */
export function useRunCopy({ id }: Publication) {
  const router = useRouter();
  return useMutation({
    mutationFn: () => client.publications.openCopy({ id }),
    onSuccess: ({ project_id, file_id }) =>
      router.navigate({ to: '/projects/$projectId', params: { projectId: project_id }, search: { file: file_id } }),
    onError: (error) => toastError(error, 'Could not open a copy to run'),
  });
}

type PublishInput = Omit<Parameters<typeof client.publications.publish>[0], 'id'>;

/** Whatever of it is shown somewhere is asked for again. */
function useRefresh() {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: api.publications.key() });
    // A project and its card show what is published of it.
    void queryClient.invalidateQueries({ queryKey: api.projects.key() });
  };
}

export function usePublish(fileId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: PublishInput) => client.publications.publish({ id: fileId, ...input }),
    onSuccess: refresh,
  });
}

export function useRestoreVersion(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (number: number) => client.publications.restoreVersion({ id, number }),
    onSuccess: async ({ version_number }) => {
      await refresh();
      toast(`Readers see version ${version_number} now.`);
    },
    onError: (error) => toastError(error, 'Could not show this version'),
  });
}
