import { createFileRoute } from '@tanstack/react-router';
import { SubscriptionsPage } from '../../features/admin/billing/subscriptions-page.tsx';
import { parseSubscriptionsSearch } from '../../features/admin/model.ts';

export const Route = createFileRoute('/_shell/admin/subscriptions')({
  staticData: { title: 'Subscriptions' },
  validateSearch: parseSubscriptionsSearch,
  component: () => <SubscriptionsPage search={Route.useSearch()} />,
});
