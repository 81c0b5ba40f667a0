import { createFileRoute } from '@tanstack/react-router';
import { parseTrackingSearch } from '../../features/admin/model.ts';
import { TrackingPage } from '../../features/admin/usage/tracking-page.tsx';

export const Route = createFileRoute('/_shell/admin/tracking')({
  staticData: { title: 'Tracking' },
  validateSearch: parseTrackingSearch,
  component: () => <TrackingPage search={Route.useSearch()} />,
});
