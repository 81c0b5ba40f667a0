import { createFileRoute } from '@tanstack/react-router';
import { PersonPage } from '../../features/people/components/profile-page.tsx';
import { parseProfileTab } from '../../features/people/model.ts';

export const Route = createFileRoute('/_shell/users/$username/$tab')({
  component: () => <PersonPage username={Route.useParams().username} tab={parseProfileTab(Route.useParams().tab)} />,
});
