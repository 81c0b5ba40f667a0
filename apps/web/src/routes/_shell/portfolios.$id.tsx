import { createFileRoute } from '@tanstack/react-router';
import { PortfolioPage } from '../../features/portfolios/components/portfolio-page.tsx';

export const Route = createFileRoute('/_shell/portfolios/$id')({
  staticData: { title: 'Portfolio' },
  component: function Portfolio() {
    const { id } = Route.useParams();
    return <PortfolioPage key={id} id={id} />;
  },
});
