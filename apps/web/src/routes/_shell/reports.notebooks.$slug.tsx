import { createFileRoute, redirect } from '@tanstack/react-router';
import { parseVersion } from '../../features/publications/model.ts';

export const Route = createFileRoute('/_shell/reports/notebooks/$slug')({
  validateSearch: parseVersion,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/publications/notebooks/$slug', params, search, replace: true });
  },
});
