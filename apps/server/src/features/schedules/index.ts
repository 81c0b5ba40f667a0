import { defineFeature } from '../../platform/feature.ts';
import { scheduleBroadcasts } from './events.ts';
import { scheduleNotifications } from './notifications.ts';
import { schedulesPolicy } from './policy.ts';
import { scheduleRoutes } from './routes.ts';
import { endDelivery, endRun } from './service/end.ts';
import { fireJob } from './service/fire.ts';
import { pauseSchedulesOf } from './service/pause.ts';
import { resumeSchedules } from './service/queue.ts';
import { sweepSchedules } from './service/sweep.ts';

export const schedulesFeature = defineFeature({
  name: 'schedules',
  policy: schedulesPolicy,
  routes: { schedules: scheduleRoutes },
  events: {
    'project.transferred': (ctx, { project_id, from_user_id }, { createdAt }) =>
      pauseSchedulesOf(ctx, { projectId: project_id, ownerId: from_user_id, until: createdAt }),
    'user.unsuspended': (ctx, { user_id }) => resumeSchedules(ctx, user_id),
    'run.ended': (ctx, { run_id }) => endRun(ctx, run_id),
    'delivery.ended': async (ctx, { firing_id, state, reason }) => {
      // One address that bounces must not pause the report of all the others; its author is told of that.
      if (firing_id) await endDelivery(ctx, firing_id, state === 'failed' ? reason : null);
    },
  },
  broadcasts: scheduleBroadcasts,
  notifications: scheduleNotifications,
  jobs: [fireJob],
  sweep: sweepSchedules,
});
