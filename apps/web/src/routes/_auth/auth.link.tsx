import { createFileRoute } from '@tanstack/react-router';
import { LinkPage } from '../../features/sign-in/components/link-page.tsx';

export const Route = createFileRoute('/_auth/auth/link')({
  staticData: { title: 'Sign in' },
  component: LinkPage,
});
