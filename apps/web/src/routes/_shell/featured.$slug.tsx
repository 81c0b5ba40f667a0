import { createFileRoute, redirect } from '@tanstack/react-router';
import { readingRoute } from '../../features/publications/model.ts';
import { publicationQuery } from '../../features/publications/queries.ts';

export const Route = createFileRoute('/_shell/featured/$slug')({
  validateSearch: (search: Record<string, unknown>) => search,
  // The old address does not say what it leads to.
  beforeLoad: async ({ context: { queryClient }, params, search }) => {
    const found = await queryClient.ensureQueryData(publicationQuery(params.slug)).catch(() => null);
    throw redirect({ to: readingRoute(found?.content_kind ?? 'notebooks'), params, search, replace: true });
  },
});
