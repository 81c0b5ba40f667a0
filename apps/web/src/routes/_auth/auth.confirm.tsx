import { createFileRoute } from '@tanstack/react-router';
import { ConfirmPage } from '../../features/sign-in/components/confirm-page.tsx';
import { parseToken } from '../../features/sign-in/model.ts';

export const Route = createFileRoute('/_auth/auth/confirm')({
  staticData: { title: 'Confirm your address' },
  validateSearch: parseToken,
  component: () => <ConfirmPage {...Route.useSearch()} />,
});
