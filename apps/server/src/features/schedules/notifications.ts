import type { EventHandlers } from '../../platform/events/relay.ts';
import { notify } from '../notifications/service/notify.ts';

export const scheduleNotifications: EventHandlers = {
  'schedule.ended': async (ctx, { project_id, owner_id, firing_id, state, reason, is_paused }) => {
    if (state === 'stopped' ? !is_paused : state !== 'failed') return;
    await notify(ctx, [owner_id], {
      type: state === 'stopped' ? 'schedule_stopped' : is_paused ? 'schedule_paused' : 'schedule_failed',
      actorId: null,
      projectId: project_id,
      metadata: reason && state === 'failed' ? { reason: reason.slice(0, 300) } : {},
      key: `schedule:${firing_id}`,
    });
  },
};
