import { createFileRoute } from '@tanstack/react-router';
import { UsagePage } from '../../features/usage/components/usage-page.tsx';
import { parseUsageSearch } from '../../features/usage/model.ts';
import { summaryQuery } from '../../features/usage/queries.ts';

export const Route = createFileRoute('/_shell/usage')({
  staticData: { title: 'Usage' },
  validateSearch: parseUsageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(summaryQuery(deps)),
  component: () => <UsagePage search={Route.useSearch()} />,
});
