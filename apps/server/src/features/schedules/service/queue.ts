import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import type { JobKind } from '../../../platform/jobs/enqueue.ts';
import { type ScheduleRow, schedules } from '../table.ts';

/** One time of a schedule; with `firing_id`, one that was noted already. */
export interface FirePayload {
  schedule_id: string;
  time: string;
  firing_id?: string;
}

export const fireKind: JobKind<FirePayload> = {
  kind: 'schedules.fire',
  payload: z.object({ schedule_id: z.uuid(), time: z.iso.datetime(), firing_id: z.uuid().optional() }),
};

export const about = ({ id, projectId, ownerId }: ScheduleRow) => ({
  schedule_id: id,
  project_id: projectId,
  owner_id: ownerId,
});

/** The job of a time that is no longer the next one does nothing when it comes. */
export async function enqueueNext({ enqueue }: Write, { id, nextRunAt }: ScheduleRow): Promise<void> {
  if (!nextRunAt) return;
  const time = nextRunAt.toISOString();
  await enqueue(fireKind, { schedule_id: id, time }, { key: `${id}:${time}`, dueAt: nextRunAt });
}

/** What came due while they were suspended starts now. */
export async function resumeSchedules(ctx: Context, ownerId: string): Promise<void> {
  await ctx.write(async (write) => {
    const isTheirs = and(eq(schedules.ownerId, ownerId), eq(schedules.isEnabled, true));
    for (const row of await write.tx.select().from(schedules).where(isTheirs)) await enqueueNext(write, row);
  });
}
