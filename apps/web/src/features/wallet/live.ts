import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { sessionQuery } from '../session/queries.ts';

/** The balance follows what is paid and credited elsewhere. */
export function useWalletLive(userId: string): void {
  const queryClient = useQueryClient();
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: api.wallet.key() });
    void queryClient.invalidateQueries({ queryKey: api.payments.get.key() });
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  useTopic(
    'person',
    { userId },
    { on: { wallet_changed: refresh, purchase_changed: refresh }, onJoined: (_joined, isGap) => isGap && refresh() },
  );
}
