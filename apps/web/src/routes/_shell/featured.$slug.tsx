import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_shell/featured/$slug')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/publications/notebooks/$slug', params, replace: true });
  },
});
