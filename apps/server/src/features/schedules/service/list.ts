import type { EndpointInput, Paging, Schedule } from '@atoll/contract';
import { and, desc, eq, gt, ilike, inArray, isNull, or, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { containing } from '../../../platform/like.ts';
import { files } from '../../files/table.ts';
import { whoMay } from '../../projects/service/who-may.ts';
import { projects } from '../../projects/table.ts';
import { publications } from '../../publications/table.ts';
import { scheduleFirings, schedules } from '../table.ts';
import { requireSchedule } from './access.ts';
import { firingView, scheduleViews } from './views.ts';

/** Those that run in the caller's name where they can still see the project, and all in projects of theirs. */
export async function listSchedules(
  ctx: Context,
  input: EndpointInput<'schedules', 'list'>,
): Promise<{ entries: Schedule[]; total: number }> {
  const me = ctx.actor.userId ?? nobody;
  const mine = await ctx.db
    .selectDistinct({ id: schedules.projectId })
    .from(schedules)
    .where(eq(schedules.ownerId, me));
  const seen = await whoMay(
    ctx.db,
    [ctx.actor],
    mine.map(({ id }) => id),
    'view',
  );
  const seenIds = seen.map(({ project }) => project.id);
  const pattern = containing(input.search ?? '');
  const where = and(
    or(and(eq(schedules.ownerId, me), inArray(schedules.projectId, seenIds)), eq(projects.ownerId, me)),
    isNull(projects.deletedAt),
    input.search
      ? or(ilike(projects.name, pattern), ilike(files.path, pattern), ilike(publications.title, pattern))
      : undefined,
    input.state === 'active' ? eq(schedules.isEnabled, true) : undefined,
    input.state === 'paused' ? eq(schedules.isEnabled, false) : undefined,
    input.state === 'failing' ? or(gt(schedules.failuresInRow, 0), eq(schedules.isAwaitingReview, true)) : undefined,
  );
  const found = ctx.db
    .select({ schedule: schedules, total: sql<number>`count(*) over ()`.mapWith(Number) })
    .from(schedules)
    .innerJoin(projects, eq(projects.id, schedules.projectId))
    .innerJoin(files, eq(files.id, schedules.fileId))
    .leftJoin(publications, eq(publications.id, schedules.publicationId))
    .where(where);
  const rows = await found
    .orderBy(sql`${schedules.nextRunAt} asc nulls last`, desc(schedules.updatedAt), schedules.id)
    .limit(input.page_size)
    .offset((input.page - 1) * input.page_size);
  const entries = await scheduleViews(
    ctx,
    ctx.db,
    rows.map(({ schedule }) => schedule),
  );
  return { entries, total: rows[0]?.total ?? 0 };
}

export async function listFirings(ctx: Context, { id, page: number, page_size }: Paging & { id: string }) {
  await requireSchedule(ctx, ctx.db, id, 'schedule.view');
  const where = eq(scheduleFirings.scheduleId, id);
  const rows = await ctx.db
    .select()
    .from(scheduleFirings)
    .where(where)
    .orderBy(desc(scheduleFirings.startedAt), desc(scheduleFirings.id))
    .limit(page_size)
    .offset((number - 1) * page_size);
  const total = await ctx.db.$count(scheduleFirings, where);
  return { entries: rows.map(firingView), total, page: number, page_size };
}
