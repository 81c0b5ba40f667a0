import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_shell/featured/')({
  beforeLoad: () => {
    throw redirect({ to: '/publications', replace: true });
  },
});
