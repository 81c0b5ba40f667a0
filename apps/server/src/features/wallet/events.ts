import { topics } from '@atoll/contract';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';

export const walletBroadcasts: Broadcasts = {
  'wallet.changed': async (_tx, { user_id }) => [message(topics.person, { userId: user_id }, 'wallet_changed', {})],
};
