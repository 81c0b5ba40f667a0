import { createFileRoute } from '@tanstack/react-router';
import { ExchangesPage } from '../../features/trading/components/exchanges-page.tsx';
import { parseExchangesSearch } from '../../features/trading/model.ts';

export const Route = createFileRoute('/_shell/exchanges/')({
  staticData: { title: 'Exchanges' },
  validateSearch: parseExchangesSearch,
  component: () => <ExchangesPage search={Route.useSearch()} />,
});
