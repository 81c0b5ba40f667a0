import { createFileRoute } from '@tanstack/react-router';
import { loadTeam } from '../../features/teams/queries.ts';

export const Route = createFileRoute('/_shell/teams/$teamId')({
  staticData: { title: 'Team' },
  validateSearch: ({ invite }: Record<string, unknown>): { invite?: string } =>
    typeof invite === 'string' && invite ? { invite } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps }) => loadTeam(queryClient, params.teamId, deps.invite),
});
