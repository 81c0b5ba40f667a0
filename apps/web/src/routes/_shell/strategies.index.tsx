import { createFileRoute } from '@tanstack/react-router';
import { StrategiesPage } from '../../features/strategies/components/published/strategies-page.tsx';
import { parseCatalogue } from '../../features/strategies/model.ts';

export const Route = createFileRoute('/_shell/strategies/')({
  staticData: { title: 'Strategies' },
  validateSearch: parseCatalogue,
  component: () => <StrategiesPage search={Route.useSearch()} />,
});
