import { createFileRoute } from '@tanstack/react-router';
import { ProjectPage } from '../../features/files/components/project-page.tsx';
import { parsePageSearch } from '../../features/files/model.ts';
import { loadProject } from '../../features/files/queries.ts';

export const Route = createFileRoute('/_shell/$username/projects/$projectId')({
  staticData: { title: 'Project', isFull: true },
  validateSearch: parsePageSearch,
  loader: ({ context: { queryClient }, params }) => loadProject(queryClient, params.projectId),
  component: () => <ProjectPage key={Route.useParams().projectId} projectId={Route.useParams().projectId} />,
});
