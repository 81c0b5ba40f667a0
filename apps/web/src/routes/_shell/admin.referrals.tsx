import { createFileRoute } from '@tanstack/react-router';
import { ReferralsPage } from '../../features/admin/billing/referrals-page.tsx';

export const Route = createFileRoute('/_shell/admin/referrals')({
  staticData: { title: 'Referrals' },
  component: ReferralsPage,
});
