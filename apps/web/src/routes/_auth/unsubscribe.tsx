import { createFileRoute } from '@tanstack/react-router';
import { UnsubscribePage } from '../../features/mail/unsubscribe-page.tsx';

export const Route = createFileRoute('/_auth/unsubscribe')({
  staticData: { title: 'Mail' },
  component: UnsubscribePage,
});
