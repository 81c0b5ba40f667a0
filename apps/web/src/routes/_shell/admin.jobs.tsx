import { createFileRoute } from '@tanstack/react-router';
import { parseJobsSearch } from '../../features/admin/model.ts';
import { JobsPage } from '../../features/admin/operations/jobs-page.tsx';

export const Route = createFileRoute('/_shell/admin/jobs')({
  staticData: { title: 'Jobs' },
  validateSearch: parseJobsSearch,
  component: () => <JobsPage search={Route.useSearch()} />,
});
