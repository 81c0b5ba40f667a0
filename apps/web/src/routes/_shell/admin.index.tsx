import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../../features/admin/usage/overview-page.tsx';

export const Route = createFileRoute('/_shell/admin/')({
  staticData: { title: 'Overview' },
  component: OverviewPage,
});
