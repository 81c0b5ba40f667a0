import { createFileRoute } from '@tanstack/react-router';
import { Dashboard } from '../../features/home/components/dashboard.tsx';
import { prefetchDashboard } from '../../features/home/prefetch.ts';

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: 'Home' },
  loader: ({ context: { queryClient } }) => prefetchDashboard(queryClient),
  component: Dashboard,
});
