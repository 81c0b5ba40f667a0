import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { Root } from '../features/shell/components/root.tsx';
import { Shell } from '../features/shell/components/shell.tsx';
import { NotFound } from '../ui/page-problems.tsx';

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: () => (
    <Shell>
      <NotFound />
    </Shell>
  ),
});
