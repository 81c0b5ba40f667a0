import { createFileRoute } from '@tanstack/react-router';
import { TeamPage } from '../../features/teams/components/team-page.tsx';

export const Route = createFileRoute('/_shell/teams/$teamId/')({
  component: () => <TeamPage teamId={Route.useParams().teamId} tab="projects" invite={Route.useSearch().invite} />,
});
