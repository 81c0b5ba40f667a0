import { createFileRoute, redirect } from '@tanstack/react-router';

/** An old address: a project, or the list of projects. */
export const Route = createFileRoute('/_shell/notebooks/$')({
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: ({ params: { _splat = '' }, search }) => {
    const [projectId] = _splat.split('/');
    if (projectId && isId.test(projectId))
      throw redirect({ to: '/projects/$projectId', params: { projectId }, search, replace: true });
    throw redirect({ to: '/projects', search, replace: true });
  },
});

const isId = /^[0-9a-f-]{36}$/i;
