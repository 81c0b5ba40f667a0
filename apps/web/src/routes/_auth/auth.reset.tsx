import { createFileRoute } from '@tanstack/react-router';
import { ResetPage } from '../../features/sign-in/components/reset-page.tsx';
import { parseToken } from '../../features/sign-in/model.ts';

export const Route = createFileRoute('/_auth/auth/reset')({
  staticData: { title: 'New password' },
  validateSearch: parseToken,
  component: () => <ResetPage {...Route.useSearch()} />,
});
