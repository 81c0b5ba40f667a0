import { createFileRoute } from '@tanstack/react-router';
import { parsePageSearch } from '../../features/files/model.ts';
import { loadProject } from '../../features/files/queries.ts';
import { ProjectPage } from '../../features/projects/page/project-page.tsx';
import { NoProject } from '../../features/sharing/components/no-project.tsx';
import { openLink } from '../../features/sharing/open-link.ts';

export const Route = createFileRoute('/_shell/projects/$projectId')({
  staticData: { title: 'Project', isFull: true },
  validateSearch: parsePageSearch,
  beforeLoad: ({ context: { queryClient }, params, location }) =>
    openLink(queryClient, params.projectId, location.hash),
  loader: ({ context: { queryClient }, params }) => loadProject(queryClient, params.projectId),
  notFoundComponent: () => <NoProject projectId={Route.useParams().projectId} />,
  component: () => <ProjectPage key={Route.useParams().projectId} projectId={Route.useParams().projectId} />,
});
