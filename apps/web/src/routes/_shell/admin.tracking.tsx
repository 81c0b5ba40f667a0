import { createFileRoute } from '@tanstack/react-router';
import { TrackingPage } from '../../features/admin/components/tracking-page.tsx';
import { parseTrackingSearch } from '../../features/admin/model.ts';

export const Route = createFileRoute('/_shell/admin/tracking')({
  staticData: { title: 'Tracking' },
  validateSearch: parseTrackingSearch,
  component: () => <TrackingPage search={Route.useSearch()} />,
});
