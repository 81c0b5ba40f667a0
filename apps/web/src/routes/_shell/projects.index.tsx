import { createFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '../../features/projects/list/projects-page.tsx';
import { parseListSearch } from '../../features/projects/model.ts';
import { projectListQuery } from '../../features/projects/queries.ts';

export const Route = createFileRoute('/_shell/projects/')({
  validateSearch: parseListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(projectListQuery(deps)),
  component: ProjectsPage,
});
