import { createFileRoute, redirect } from '@tanstack/react-router';

/** An old address of a project. */
export const Route = createFileRoute('/_shell/$username/notebooks/$projectId')({
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/$username/projects/$projectId', params, search, replace: true });
  },
});
