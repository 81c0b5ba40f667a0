import { IconWallet } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useWalletLive } from './live.ts';

export const walletFeature: WebFeature = {
  name: 'wallet',
  flag: 'wallet',
  navigation: [{ label: 'Wallet', icon: IconWallet, to: '/wallet', group: 'account', isForMembers: true }],
  useLive: useWalletLive,
};
