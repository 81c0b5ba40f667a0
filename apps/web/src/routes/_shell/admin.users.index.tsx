import { createFileRoute } from '@tanstack/react-router';
import { UsersPage } from '../../features/admin/components/users-page.tsx';
import { parseUsersSearch } from '../../features/admin/model.ts';

export const Route = createFileRoute('/_shell/admin/users/')({
  staticData: { title: 'Users' },
  validateSearch: parseUsersSearch,
  component: () => <UsersPage search={Route.useSearch()} />,
});
