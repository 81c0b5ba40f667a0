import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';

export function useReferralsLive(userId: string): void {
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: api.referrals.key() });
  useTopic(
    'person',
    { userId },
    { on: { referrals_changed: refresh }, onJoined: (_joined, isGap) => isGap && refresh() },
  );
}
