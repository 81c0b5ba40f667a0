import { createFileRoute } from '@tanstack/react-router';
import { ConfirmPage } from '../../features/sign-in/components/confirm-page.tsx';

export const Route = createFileRoute('/_auth/auth/confirm')({
  staticData: { title: 'Confirm your address' },
  component: ConfirmPage,
});
