import { createFileRoute, notFound } from '@tanstack/react-router';
import { CallbackPage } from '../../features/sign-in/components/callback-page.tsx';
import { isProvider, parseCallback } from '../../features/sign-in/model.ts';

export const Route = createFileRoute('/_auth/auth/$provider')({
  staticData: { title: 'Sign in' },
  validateSearch: parseCallback,
  loader: ({ params: { provider } }) => {
    if (!isProvider(provider)) throw notFound();
    return { provider };
  },
  component: () => <CallbackPage {...Route.useLoaderData()} {...Route.useSearch()} />,
});
