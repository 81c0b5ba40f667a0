import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';

/** Schedules follow their runs, and what is changed elsewhere. */
export function useSchedulesLive(userId: string): void {
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: api.schedules.key() });
  useTopic(
    'person',
    { userId },
    { on: { schedules_changed: refresh }, onJoined: (_joined, isGap) => isGap && refresh() },
  );
}
