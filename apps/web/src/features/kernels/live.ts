import { useQueryClient } from '@tanstack/react-query';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { myServersQuery } from './queries.ts';

/** Whatever runs uses time, and that is told. */
export function useServersLive(userId: string): void {
  const queryClient = useQueryClient();
  const reload = () => void queryClient.invalidateQueries({ queryKey: myServersQuery.queryKey });
  useTopic('person', { userId }, { on: { quota_changed: reload } });
}
