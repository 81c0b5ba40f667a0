import { createFileRoute } from '@tanstack/react-router';
import { NoReport, ReportPage } from '../../features/reports/components/report-page.tsx';
import { loadReport } from '../../features/reports/queries.ts';

export const Route = createFileRoute('/_shell/reports/pasas/$slug')({
  staticData: { title: 'Report' },
  loader: ({ context: { queryClient }, params }) => loadReport(queryClient, 'pasas', params.slug),
  notFoundComponent: NoReport,
  component: () => <ReportPage slug={Route.useParams().slug} />,
});
