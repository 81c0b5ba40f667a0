import { tableFormatOf } from '@atoll/contract/files/tables';
import type { Project } from '@atoll/contract/projects/entity';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { hasReason } from '../../platform/api-error.ts';
import { api, client } from '../../platform/client.ts';
import { putContent } from '../../platform/put-content.ts';
import { toast, toastError, toastWithUndo } from '../../ui/toast.ts';
import { isUploadable } from './model.ts';
import { projectQuery } from './queries.ts';
import { runOnOpen } from './run-on-open.ts';

type CreateInput = Parameters<typeof client.projects.create>[0];
type UpdateInput = Parameters<typeof client.projects.update>[0];
type Listed = Awaited<ReturnType<typeof client.projects.list>>;

const listKey = api.projects.list.key();
export const refreshLists = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: listKey });

function changeLists(queryClient: QueryClient, change: (entries: Project[]) => Project[]): void {
  queryClient.setQueriesData<Listed>({ queryKey: listKey }, (listed) => {
    if (!listed?.entries) return listed;
    const entries = change(listed.entries);
    return { ...listed, entries, total: listed.total + entries.length - listed.entries.length };
  });
}

/** A full plan is no accident: the title says so, the server's sentence says what to do. */
export const toastProjectError = (error: unknown, title?: string): void =>
  toastError(error, hasReason(error, 'usage_limit_reached') ? 'Project limit reached' : title);

interface CreateOptions {
  replace?: boolean;
  /** Its notebook runs when it is opened, as that of a template does. */
  runs?: boolean;
}

export function useCreateProject() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: ({ replace: _, runs: __, ...input }: CreateInput & CreateOptions) => client.projects.create(input),
    onSuccess: async (project, { replace, runs, template }) => {
      if (template || runs) runOnOpen(project.id);
      queryClient.setQueryData(projectQuery(project.id).queryKey, project);
      void refreshLists(queryClient);
      await router.navigate({ to: '/projects/$projectId', params: { projectId: project.id }, replace });
    },
  });
}

export function useCloneProject() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (project: Project) => client.projects.clone({ id: project.id }),
    onSuccess: async (made) => {
      void refreshLists(queryClient);
      await router.navigate({ to: '/projects/$projectId', params: { projectId: made.id } });
      toast(`Cloned as “${made.name}”.`);
    },
    onError: (error) => toastProjectError(error, 'Could not clone the project'),
  });
}

/** Shown at once, in the lists and on the project's own page; taken back when refused. */
export function useUpdateProject() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (update: UpdateInput) => client.projects.update(update),
    onSuccess: async (project) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, project);
      changeLists(queryClient, (entries) => entries.map((each) => (each.id === project.id ? project : each)));
      // The page's title is its loader's.
      await router.invalidate();
    },
  });
}

export function useDeleteProject() {
  const queryClient = useQueryClient();
  const restore = useRestoreProject();
  return useMutation({
    mutationFn: ({ id }: Project) => client.projects.delete({ id }),
    onMutate: ({ id }) => changeLists(queryClient, (entries) => entries.filter((each) => each.id !== id)),
    onSuccess: (_, project) =>
      toastWithUndo(`“${project.name}” moved to bin. You can restore it for 30 days.`, () => restore.mutate(project)),
    onError: (error) => toastError(error, 'Could not delete the project'),
    onSettled: () => refreshLists(queryClient),
  });
}

export function useRestoreProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Project) => client.projects.restore({ id }),
    onSuccess: (project) => toast(`“${project.name}” restored.`),
    onError: (error) => toastProjectError(error, 'Could not restore the project'),
    onSettled: () => refreshLists(queryClient),
  });
}

export function useDeletePermanently() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Project) => client.projects.deletePermanently({ id }),
    onSuccess: () => toast('Project deleted permanently.'),
    onError: (error) => toastError(error, 'Could not delete the project'),
    onSettled: () => refreshLists(queryClient),
  });
}

/** Creates a project from a notebook, a table or a zip, and opens it. */
export function useCreateFromFile() {
  const create = useCreateProject();
  const createFromFile = async (file: File, name = '') => {
    if (!isUploadable(file.name))
      throw new Error('Choose a notebook (.ipynb), a table (csv, parquet, xlsx, json) or a .zip.');
    const upload_id = await putContent(file, file.name);
    const stem = file.name.replace(/(\.[^.]+?)(\.gz|\.zst)?$/, '').slice(0, 120) || 'Untitled';
    await create.mutateAsync({ upload_id, name: name || stem, runs: tableFormatOf(file.name) !== null });
  };
  return { createFromFile, create };
}
