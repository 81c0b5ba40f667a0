import { createFileRoute, redirect } from '@tanstack/react-router';
import { parseReading } from '../../features/publications/model.ts';

export const Route = createFileRoute('/_shell/reports/notebooks/$slug')({
  validateSearch: parseReading,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/publications/notebooks/$slug', params, search, replace: true });
  },
});
