import { createFileRoute } from '@tanstack/react-router';
import { SignInPage } from '../../features/sign-in/components/sign-in-page.tsx';
import { parseReturn } from '../../features/sign-in/model.ts';

export const Route = createFileRoute('/_auth/sign-in')({
  staticData: { title: 'Sign in' },
  validateSearch: parseReturn,
  component: () => <SignInPage {...Route.useSearch()} />,
});
