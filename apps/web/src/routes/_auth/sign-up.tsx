import { createFileRoute } from '@tanstack/react-router';
import { SignUpPage } from '../../features/sign-in/components/sign-up-page.tsx';
import { parseReturn } from '../../features/sign-in/model.ts';

export const Route = createFileRoute('/_auth/sign-up')({
  staticData: { title: 'Sign up' },
  validateSearch: parseReturn,
  component: () => <SignUpPage {...Route.useSearch()} />,
});
