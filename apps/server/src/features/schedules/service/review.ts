import type { Schedule } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { denied } from '../../../platform/errors.ts';
import { acceptChanges } from '../../files/service/changes.ts';
import { lockProject } from '../../projects/service/access.ts';
import { type ScheduleRow, schedules } from '../table.ts';
import { requireSchedule } from './access.ts';
import { about, enqueueNext } from './queue.ts';
import { nextTime } from './times.ts';
import { scheduleViews } from './views.ts';

/** The owner has looked at the changes up to this one; a schedule that had stopped at them goes on. */
export async function acceptReview(ctx: Context, id: string, until: number): Promise<{ schedule: Schedule | null }> {
  return ctx.write(async (write) => {
    const { schedule: found } = await requireSchedule(ctx, write.tx, id, 'schedule.edit');
    if (found.ownerId !== ctx.userId)
      throw denied(
        'no_permissions',
        'It runs in the name of its owner, who alone can accept changes. Save it to run it in your name.',
      );
    await lockProject(write.tx, found.projectId);
    const [schedule] = await write.tx.select().from(schedules).where(eq(schedules.id, id)).for('update');
    if (!schedule) return { schedule: null };
    await acceptChanges(write.tx, ctx.userId, schedule.projectId, until);
    const row = schedule.isAwaitingReview ? await goOn(ctx, write, schedule) : schedule;
    await write.emit('schedule.updated', { ...about(row), fields: ['review'] });
    const [view] = await scheduleViews(ctx, write.tx, [row]);
    return { schedule: view ?? null };
  });
}

/** The time of one that runs once has passed meanwhile: it is now. */
async function goOn(ctx: Context, write: Write, schedule: ScheduleRow): Promise<ScheduleRow> {
  const now = ctx.now();
  const nextRunAt = nextTime(schedule, now) ?? now;
  const [row] = await write.tx
    .update(schedules)
    .set({ isAwaitingReview: false, isEnabled: true, nextRunAt })
    .where(eq(schedules.id, schedule.id))
    .returning();
  if (!row) return schedule;
  await enqueueNext(write, row);
  return row;
}
