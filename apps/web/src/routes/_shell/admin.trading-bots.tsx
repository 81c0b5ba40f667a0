import { createFileRoute } from '@tanstack/react-router';
import { TradingBotsPage } from '../../features/admin/operations/trading-bots-page.tsx';

export const Route = createFileRoute('/_shell/admin/trading-bots')({
  staticData: { title: 'Trading bots' },
  component: TradingBotsPage,
});
