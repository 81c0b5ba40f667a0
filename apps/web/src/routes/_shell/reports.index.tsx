import { createFileRoute } from '@tanstack/react-router';
import { ReportsPage } from '../../features/reports/components/reports-page.tsx';
import { parseReportsSearch } from '../../features/reports/model.ts';
import { reportListQuery } from '../../features/reports/queries.ts';

export const Route = createFileRoute('/_shell/reports/')({
  staticData: { title: 'Reports' },
  validateSearch: parseReportsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(reportListQuery(deps)),
  component: () => <ReportsPage search={Route.useSearch()} />,
});
