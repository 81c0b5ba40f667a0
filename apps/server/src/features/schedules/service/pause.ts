import { and, eq, lte } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { schedules } from '../table.ts';
import { about } from './queue.ts';

interface Earlier {
  projectId: string;
  ownerId: string;
  /** Those that were saved later are meant. */
  until: Date;
}

/** The schedules that an earlier owner of a project has left: they ran in that person's name. */
export const pauseSchedulesOf = (ctx: Context, { projectId, ownerId, until }: Earlier): Promise<void> =>
  ctx.write(async (write) => {
    const paused = await write.tx
      .update(schedules)
      .set({
        isEnabled: false,
        nextRunAt: null,
        isAwaitingReview: false,
        pausedReason: 'The project has a new owner. Resume it to run it in your name.',
      })
      .where(and(eq(schedules.projectId, projectId), eq(schedules.ownerId, ownerId), lte(schedules.updatedAt, until)))
      .returning();
    for (const row of paused) await write.emit('schedule.updated', { ...about(row), fields: ['enabled'] });
  });
