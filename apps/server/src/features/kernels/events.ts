import { and, eq, isNull, lte } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { requestStop } from './service/servers.ts';
import { endExposed } from './service/sessions/end-exposed.ts';
import { kernelSessions } from './table.ts';

const accessChanged = (ctx: Context, { project_id }: { project_id: string }) => endExposed(ctx, project_id);

const stopOf =
  (message: string) =>
  async (ctx: Context, { user_id }: { user_id: string }) => {
    const running = await ctx.db
      .select({ id: kernelSessions.id })
      .from(kernelSessions)
      .where(and(eq(kernelSessions.userId, user_id), isNull(kernelSessions.endedAt)));
    for (const { id } of running) await requestStop(ctx, id, { reason: 'stopped', message });
  };

export const kernelEvents: EventHandlers = {
  'user.suspended': stopOf('It was stopped because the account was suspended.'),
  'user.deleted': stopOf('It was stopped because the account was deleted.'),
  /** Kernels of a project in the bin end. */
  'project.deleted': async (ctx, { project_id }) => {
    const running = await ctx.db
      .select({ id: kernelSessions.id })
      .from(kernelSessions)
      .where(and(eq(kernelSessions.projectId, project_id), isNull(kernelSessions.endedAt)));
    for (const { id } of running) {
      await requestStop(ctx, id, { reason: 'stopped', message: 'It was stopped because the project was deleted.' });
    }
  },
  'project.shared': accessChanged,
  'project.grant_changed': accessChanged,
  'project.shared_with_team': accessChanged,
  'project.team_grant_changed': accessChanged,
  'project.invite_accepted': accessChanged,
  /** Kernels of the earlier owner end, because they would keep running at their cost and with their secrets. */
  'project.transferred': async (ctx, { project_id, from_user_id }, { createdAt }) => {
    const running = await ctx.db
      .select({ id: kernelSessions.id })
      .from(kernelSessions)
      .where(
        and(
          eq(kernelSessions.projectId, project_id),
          eq(kernelSessions.userId, from_user_id),
          isNull(kernelSessions.endedAt),
          lte(kernelSessions.startedAt, createdAt),
        ),
      );
    const message = 'It was stopped because the project has a new owner.';
    for (const { id } of running) await requestStop(ctx, id, { reason: 'stopped', message });
    await endExposed(ctx, project_id);
  },
  'access.answered': accessChanged,
};
