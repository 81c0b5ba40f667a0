import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_shell/featured/')({
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/publications', search, replace: true });
  },
});
