import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';

/** Many people do something at once; the page is read again at most so often. */
const pauseMs = 2_000;

export function useTrackingLive(): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const reload = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey: api.admin.tracking.key() });
    }, pauseMs);
  };
  useTopic('trackingLive', {}, { on: { tracked: reload }, onJoined: (_joined, isGap) => isGap && reload() });
}
