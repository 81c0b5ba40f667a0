import { createFileRoute } from '@tanstack/react-router';
import { parseUsageSearch } from '../../features/admin/model.ts';
import { UsagePage } from '../../features/admin/usage/usage-page.tsx';

export const Route = createFileRoute('/_shell/admin/usage')({
  staticData: { title: 'Usage' },
  validateSearch: parseUsageSearch,
  component: () => <UsagePage search={Route.useSearch()} />,
});
