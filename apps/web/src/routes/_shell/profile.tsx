import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '../../features/account/components/profile-page.tsx';
import { parseSection } from '../../features/account/model.ts';

export const Route = createFileRoute('/_shell/profile')({
  staticData: { title: 'Settings' },
  validateSearch: parseSection,
  component: () => <ProfilePage section={Route.useSearch().section} />,
});
