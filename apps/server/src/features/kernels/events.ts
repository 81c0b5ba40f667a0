import { and, eq, isNull } from 'drizzle-orm';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { requestStop } from './service/servers.ts';
import { kernelSessions } from './table.ts';

/** What is in the bin does not run. */
export const kernelEvents: EventHandlers = {
  'project.deleted': async (ctx, { project_id }) => {
    const running = await ctx.db
      .select({ id: kernelSessions.id })
      .from(kernelSessions)
      .where(and(eq(kernelSessions.projectId, project_id), isNull(kernelSessions.endedAt)));
    for (const { id } of running) {
      await requestStop(ctx, id, { reason: 'stopped', message: 'It was stopped because the project was deleted.' });
    }
  },
};
