import { createFileRoute } from '@tanstack/react-router';
import { TeamsPage } from '../../features/teams/components/teams-page.tsx';
import { parseTeamsSearch } from '../../features/teams/model.ts';
import { teamsQuery } from '../../features/teams/queries.ts';

export const Route = createFileRoute('/_shell/teams/')({
  validateSearch: parseTeamsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(teamsQuery(deps)),
  component: () => <TeamsPage search={Route.useSearch()} />,
});
