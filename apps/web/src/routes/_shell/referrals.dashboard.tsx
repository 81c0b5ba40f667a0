import { createFileRoute } from '@tanstack/react-router';
import { ReferralsPage } from '../../features/referrals/components/referrals-page.tsx';

export const Route = createFileRoute('/_shell/referrals/dashboard')({
  staticData: { title: 'Referrals' },
  component: ReferralsPage,
});
