import type { EventHandlers } from '../../platform/events/relay.ts';
import { notify } from './service.ts';

export const notificationEvents: EventHandlers = {
  'project.shared': (ctx, { project_id, user_id, by_user_id }) =>
    ctx.write((write) =>
      notify(ctx, write, { userId: user_id, type: 'project_shared', actorId: by_user_id, projectId: project_id }),
    ),
  'project.transferred': (ctx, { project_id, from_user_id, to_user_id }) =>
    ctx.write((write) =>
      notify(ctx, write, {
        userId: to_user_id,
        type: 'project_transferred',
        actorId: from_user_id,
        projectId: project_id,
      }),
    ),
};
