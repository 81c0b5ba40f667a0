import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';

/** The log follows what is under way. */
export function useDeliveriesLive(userId: string): void {
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: api.deliveries.list.key() });
  useTopic(
    'person',
    { userId },
    { on: { deliveries_changed: refresh }, onJoined: (_joined, isGap) => isGap && refresh() },
  );
}
