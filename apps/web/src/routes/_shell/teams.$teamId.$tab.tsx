import { createFileRoute } from '@tanstack/react-router';
import { TeamPage } from '../../features/teams/components/team-page.tsx';
import { parseTeamTab } from '../../features/teams/model.ts';

export const Route = createFileRoute('/_shell/teams/$teamId/$tab')({
  component: () => (
    <TeamPage
      teamId={Route.useParams().teamId}
      tab={parseTeamTab(Route.useParams().tab)}
      invite={Route.useSearch().invite}
    />
  ),
});
