import { createFileRoute } from '@tanstack/react-router';
import { WalletPage } from '../../features/wallet/components/wallet-page.tsx';
import { parseWalletSearch } from '../../features/wallet/model.ts';

export const Route = createFileRoute('/_shell/wallet')({
  staticData: { title: 'Wallet' },
  validateSearch: parseWalletSearch,
  component: () => <WalletPage search={Route.useSearch()} />,
});
