import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_shell/notifications')({ staticData: { title: 'Notifications' } });
