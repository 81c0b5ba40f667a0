import { createFileRoute } from '@tanstack/react-router';
import { ConfirmReportsPage } from '../../features/deliveries/confirm-reports-page.tsx';

export const Route = createFileRoute('/_auth/confirm-reports')({
  staticData: { title: 'Reports by mail' },
  component: ConfirmReportsPage,
});
