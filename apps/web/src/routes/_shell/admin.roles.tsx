import { createFileRoute } from '@tanstack/react-router';
import { RolesPage } from '../../features/admin/people/roles-page.tsx';

export const Route = createFileRoute('/_shell/admin/roles')({
  staticData: { title: 'Roles' },
  component: RolesPage,
});
