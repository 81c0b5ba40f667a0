import { createFileRoute } from '@tanstack/react-router';
import { loadProfile } from '../../features/people/queries.ts';

export const Route = createFileRoute('/_shell/users/$username')({
  staticData: { title: 'Person' },
  loader: ({ context: { queryClient }, params }) => loadProfile(queryClient, params.username),
});
