import { createFileRoute } from '@tanstack/react-router';
import { PersonPage } from '../../features/people/components/profile-page.tsx';

export const Route = createFileRoute('/_shell/users/$username/')({
  component: () => <PersonPage username={Route.useParams().username} tab="published" />,
});
