import { createFileRoute } from '@tanstack/react-router';
import { PortfoliosPage } from '../../features/portfolios/components/portfolios-page.tsx';

export const Route = createFileRoute('/_shell/portfolios/')({
  staticData: { title: 'Portfolios' },
  component: PortfoliosPage,
});
