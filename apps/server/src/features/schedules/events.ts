import { topics } from '@atoll/contract';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';

const changed = async (_tx: unknown, { schedule_id, owner_id }: { schedule_id: string; owner_id: string }) => [
  message(topics.person, { userId: owner_id }, 'schedules_changed', { schedule_id }),
];

export const scheduleBroadcasts: Broadcasts = {
  'schedule.created': changed,
  'schedule.updated': changed,
  'schedule.deleted': changed,
  'schedule.fired': changed,
  'schedule.ended': changed,
};
