import { createFileRoute } from '@tanstack/react-router';
import { ResetPage } from '../../features/sign-in/components/reset-page.tsx';

export const Route = createFileRoute('/_auth/auth/reset')({
  staticData: { title: 'New password' },
  component: ResetPage,
});
