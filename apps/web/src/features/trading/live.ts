import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { useSession } from '../session/queries.ts';

/** On the pages that show orders and exchanges: they follow what happens to them. */
export function useTradingLive(): void {
  const queryClient = useQueryClient();
  const { id, is_guest } = useSession();
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: api.trading.transactions.key() });
    void queryClient.invalidateQueries({ queryKey: api.trading.balance.key() });
    void queryClient.invalidateQueries({ queryKey: api.trading.connections.key() });
  };
  useTopic('trading', is_guest ? null : { userId: id }, {
    on: { order_changed: refresh, exchange_changed: refresh },
    onJoined: (_joined, isGap) => isGap && refresh(),
  });
}
