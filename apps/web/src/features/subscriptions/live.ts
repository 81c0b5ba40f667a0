import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { sessionQuery } from '../session/queries.ts';

/** The plan decides what one may do, so the session is asked anew with it. */
export function useSubscriptionLive(userId: string): void {
  const queryClient = useQueryClient();
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: api.subscriptions.key() });
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  useTopic(
    'person',
    { userId },
    { on: { subscription_changed: refresh }, onJoined: (_joined, isGap) => isGap && refresh() },
  );
}
