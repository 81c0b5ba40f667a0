import { createFileRoute } from '@tanstack/react-router';
import { PricingPage } from '../../features/subscriptions/components/pricing-page.tsx';
import { plansQuery } from '../../features/subscriptions/queries.ts';

export const Route = createFileRoute('/_shell/pricing')({
  staticData: { title: 'Pricing' },
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(plansQuery),
  component: PricingPage,
});
