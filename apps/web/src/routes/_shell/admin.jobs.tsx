import { createFileRoute } from '@tanstack/react-router';
import { JobsPage } from '../../features/admin/components/jobs-page.tsx';
import { parseJobsSearch } from '../../features/admin/model.ts';

export const Route = createFileRoute('/_shell/admin/jobs')({
  staticData: { title: 'Jobs' },
  validateSearch: parseJobsSearch,
  component: () => <JobsPage search={Route.useSearch()} />,
});
