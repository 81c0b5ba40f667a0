import { createFileRoute } from '@tanstack/react-router';
import { NoReport, ReportPage } from '../../features/reports/components/report-page.tsx';
import { loadReport } from '../../features/reports/queries.ts';

export const Route = createFileRoute('/_shell/reports/isles/$slug/$')({
  staticData: { title: 'Report' },
  loader: ({ context: { queryClient }, params }) => loadReport(queryClient, 'isles', params.slug),
  notFoundComponent: NoReport,
  component: () => <ReportPage slug={Route.useParams().slug} />,
});
