import { createFileRoute } from '@tanstack/react-router';
import { Dashboard } from '../../features/home/components/dashboard.tsx';

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: 'Home' },
  component: Dashboard,
});
