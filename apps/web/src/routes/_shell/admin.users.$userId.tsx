import { createFileRoute } from '@tanstack/react-router';
import { UserPage } from '../../features/admin/people/user-page.tsx';

export const Route = createFileRoute('/_shell/admin/users/$userId')({
  staticData: { title: 'Account' },
  component: () => <UserPage userId={Route.useParams().userId} />,
});
