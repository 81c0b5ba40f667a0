import { useTopic } from '../../platform/realtime/use-topic.ts';
import { useTeamsRefresh } from './mutations.ts';

/** Teams follow what happens to them elsewhere. */
export function useTeamsLive(userId: string): void {
  const refresh = useTeamsRefresh();
  useTopic(
    'person',
    { userId },
    { on: { teams_changed: () => void refresh() }, onJoined: (_joined, isGap) => isGap && void refresh() },
  );
}
