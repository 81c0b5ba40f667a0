import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';

/** The log follows what is under way, and the targets what recipients answer. */
export function useDeliveriesLive(userId: string): void {
  const queryClient = useQueryClient();
  const refresh = () => {
    for (const queryKey of [api.deliveries.list.key(), api.reports.get.key()])
      void queryClient.invalidateQueries({ queryKey });
  };
  useTopic(
    'person',
    { userId },
    { on: { deliveries_changed: refresh }, onJoined: (_joined, isGap) => isGap && refresh() },
  );
}
