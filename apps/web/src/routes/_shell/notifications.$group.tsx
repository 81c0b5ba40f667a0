import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '../../features/notifications/components/notifications-page.tsx';
import { parseGroup } from '../../features/notifications/model.ts';

export const Route = createFileRoute('/_shell/notifications/$group')({
  component: () => <NotificationsPage group={parseGroup(Route.useParams().group)} />,
});
