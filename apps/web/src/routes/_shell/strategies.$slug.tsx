import { createFileRoute } from '@tanstack/react-router';
import { NotAvailable, ReadingPage } from '../../features/publications/components/reading-page.tsx';
import { parseReading } from '../../features/publications/model.ts';
import { loadPublication } from '../../features/publications/queries.ts';
import { PublishedPanel } from '../../features/strategies/components/published/published-panel.tsx';

export const Route = createFileRoute('/_shell/strategies/$slug')({
  staticData: { title: 'Strategy' },
  validateSearch: parseReading,
  loaderDeps: ({ search: { version } }) => ({ version }),
  loader: ({ context: { queryClient }, params, deps }) => loadPublication(queryClient, params.slug, deps.version),
  notFoundComponent: NotAvailable,
  component: () => (
    <ReadingPage
      slug={Route.useParams().slug}
      version={Route.useSearch().version}
      above={(id) => <PublishedPanel publicationId={id} />}
    />
  ),
});
