import { createFileRoute } from '@tanstack/react-router';
import { ActionLogPage } from '../../features/admin/components/action-log-page.tsx';
import { parseLogSearch } from '../../features/admin/model.ts';

export const Route = createFileRoute('/_shell/admin/action-log')({
  staticData: { title: 'Action log' },
  validateSearch: parseLogSearch,
  component: () => <ActionLogPage search={Route.useSearch()} />,
});
