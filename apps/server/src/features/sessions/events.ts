import type { Broadcasts } from '../../platform/feature.ts';
import { accessTopic } from '../../platform/realtime/stream.ts';

export const sessionBroadcasts: Broadcasts = {
  'session.ended': async (_tx, { session_id }) => [
    { topic: accessTopic, event: 'session_ended', payload: { session_id } },
  ],
};
