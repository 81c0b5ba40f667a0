import { createFileRoute } from '@tanstack/react-router';
import { parseLogSearch } from '../../features/admin/model.ts';
import { ActionLogPage } from '../../features/admin/operations/action-log-page.tsx';

export const Route = createFileRoute('/_shell/admin/action-log')({
  staticData: { title: 'Action log' },
  validateSearch: parseLogSearch,
  component: () => <ActionLogPage search={Route.useSearch()} />,
});
