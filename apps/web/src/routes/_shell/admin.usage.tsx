import { createFileRoute } from '@tanstack/react-router';
import { UsagePage } from '../../features/admin/components/usage-page.tsx';
import { parseUsageSearch } from '../../features/admin/model.ts';

export const Route = createFileRoute('/_shell/admin/usage')({
  staticData: { title: 'Usage' },
  validateSearch: parseUsageSearch,
  component: () => <UsagePage search={Route.useSearch()} />,
});
