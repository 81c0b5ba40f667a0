import { createFileRoute } from '@tanstack/react-router';
import { LinkPage } from '../../features/sign-in/components/link-page.tsx';
import { parseToken } from '../../features/sign-in/model.ts';

export const Route = createFileRoute('/_auth/auth/link')({
  staticData: { title: 'Sign in' },
  validateSearch: parseToken,
  component: () => <LinkPage {...Route.useSearch()} />,
});
