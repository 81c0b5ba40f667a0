import { type ExchangeType, exchangeTypes } from '@atoll/contract/trading/values';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { ConnectPage } from '../../features/trading/components/connect-page.tsx';

export const Route = createFileRoute('/_shell/exchanges/$id/connect')({
  staticData: { title: 'Connect an exchange' },
  beforeLoad: ({ params }) => {
    if (!exchangeTypes.includes(params.id as ExchangeType)) throw notFound();
  },
  component: () => <ConnectPage type={Route.useParams().id as ExchangeType} />,
});
