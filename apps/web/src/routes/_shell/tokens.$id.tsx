import { createFileRoute } from '@tanstack/react-router';
import { TokenPage } from '../../features/trading/components/token-page.tsx';

export const Route = createFileRoute('/_shell/tokens/$id')({
  staticData: { title: 'Market' },
  component: function Token() {
    const { id } = Route.useParams();
    return <TokenPage key={id} id={id} />;
  },
});
