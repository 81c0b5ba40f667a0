import { createFileRoute } from '@tanstack/react-router';
import { parseUsersSearch } from '../../features/admin/model.ts';
import { UsersPage } from '../../features/admin/people/users-page.tsx';

export const Route = createFileRoute('/_shell/admin/users/')({
  staticData: { title: 'Users' },
  validateSearch: parseUsersSearch,
  component: () => <UsersPage search={Route.useSearch()} />,
});
