import { createFileRoute } from '@tanstack/react-router';
import { ForgotPage } from '../../features/sign-in/components/forgot-page.tsx';

export const Route = createFileRoute('/_auth/forgot-password')({
  staticData: { title: 'Forgotten password' },
  component: ForgotPage,
});
