import type { Firing, Schedule, ScheduleReview, ScheduleSettings } from '@atoll/contract';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { unseenChanges } from '../../files/service/changes.ts';
import { files } from '../../files/table.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { projects } from '../../projects/table.ts';
import { publications } from '../../publications/table.ts';
import { publicationPath } from '../../publications/view.ts';
import { type FiringRow, type ScheduleRow, scheduleFirings, schedules } from '../table.ts';
import type { Reader } from './access.ts';
import { nextTimes, type Rule } from './times.ts';

const shownTimes = 5;

export function firingView(row: FiringRow): Firing {
  return {
    id: row.id,
    scheduled_for: row.scheduledFor.toISOString(),
    trigger: row.trigger,
    state: row.state,
    reason: row.reason,
    missed_count: row.missedCount,
    run_id: row.runId,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}

export const settingsOf = (row: ScheduleRow): Omit<ScheduleSettings, 'enabled'> => ({
  type: row.type,
  starts_at: row.startsAt.toISOString(),
  time_zone: row.timeZone,
  interval_type: row.intervalType,
  interval_value: row.intervalValue,
  allowed_days: row.allowedDays,
  with_secrets: row.isWithSecrets,
});

export async function scheduleViews(ctx: Context, db: Reader, rows: ScheduleRow[]): Promise<Schedule[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const named = await db
    .select({ id: schedules.id, project: projects.name, path: files.path, publication: publications })
    .from(schedules)
    .innerJoin(projects, eq(projects.id, schedules.projectId))
    .innerJoin(files, eq(files.id, schedules.fileId))
    .leftJoin(publications, eq(publications.id, schedules.publicationId))
    .where(inArray(schedules.id, ids));
  const newest = await db
    .selectDistinctOn([scheduleFirings.scheduleId])
    .from(scheduleFirings)
    .where(inArray(scheduleFirings.scheduleId, ids))
    .orderBy(scheduleFirings.scheduleId, sql`${scheduleFirings.startedAt} desc`);
  const people = await loadPeopleOf(db, rows, ({ ownerId }) => ownerId);
  const reviews = new Map<string, ScheduleReview | null>();
  for (const row of rows) reviews.set(row.id, await reviewOf(db, row));
  const names = new Map(named.map((each) => [each.id, each]));
  const firings = new Map(newest.map((each) => [each.scheduleId, each]));
  return rows.flatMap((row) => {
    const owner = people.get(row.ownerId);
    const name = names.get(row.id);
    if (!owner || !name) return [];
    const { publication } = name;
    const last = firings.get(row.id);
    return [
      {
        id: row.id,
        project: { id: row.projectId, name: name.project },
        file: { id: row.fileId, name: name.path },
        publication: publication && {
          id: publication.id,
          title: publication.title,
          path: publicationPath(publication),
        },
        owner,
        ...settingsOf(row),
        enabled: row.isEnabled,
        last_run_at: row.lastRunAt?.toISOString() ?? null,
        next_run_at: row.nextRunAt?.toISOString() ?? null,
        next_times: timesOf(row, row.isEnabled ? row.nextRunAt : null, ctx.now()),
        failures_in_row: row.failuresInRow,
        paused_reason: row.pausedReason,
        last_firing: last ? firingView(last) : null,
        review: reviews.get(row.id) ?? null,
      },
    ];
  });
}

async function reviewOf(db: Reader, row: ScheduleRow): Promise<ScheduleReview | null> {
  if (!row.isEnabled && !row.isAwaitingReview) return null;
  const changes = await unseenChanges(db, readerOf(row));
  if (changes.length === 0 && !row.isAwaitingReview) return null;
  const people = await loadPeopleOf(db, changes, ({ userId }) => userId);
  return {
    is_stopped: row.isAwaitingReview,
    until: Math.max(0, ...changes.map(({ number }) => number)),
    changes: changes.map(({ file, userId, changedAt, ownVersionId }) => ({
      file,
      user: people.get(userId ?? '') ?? null,
      changed_at: changedAt.toISOString(),
      own_version_id: ownVersionId,
    })),
  };
}

/** A publication takes its figures from data: that is looked at too, unless it is by someone who may publish themselves. */
export const readerOf = ({ ownerId, projectId, publicationId }: ScheduleRow) =>
  ({ userId: ownerId, projectId, requires: publicationId ? 'all' : 'code' }) as const;

/** Beginning with the one that is stored: that is the one that will be kept. */
function timesOf(rule: Rule, next: Date | null, now: Date): string[] {
  if (!next) return [];
  const after = next > now ? next : now;
  return [next, ...nextTimes(rule, after, shownTimes - 1)].map((time) => time.toISOString());
}
