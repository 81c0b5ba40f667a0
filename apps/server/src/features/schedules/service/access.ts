import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { files } from '../../files/table.ts';
import { accessOf, allGranted, callerGrants, requireProject } from '../../projects/service/access.ts';
import { type ProjectRow, projects } from '../../projects/table.ts';
import { publications } from '../../publications/table.ts';
import { isRunnable } from '../../runs/service/plan.ts';
import type { ScheduleAccess } from '../policy.ts';
import { type ScheduleRow, schedules } from '../table.ts';

export type Reader = Database | Transaction;
type SchedulePermission = 'schedule.view' | 'schedule.edit';

/** What is or can be scheduled, and what the caller may do with it. */
export interface ScheduledFile extends ScheduleAccess {
  project: ProjectRow;
  fileId: string;
  isRunnable: boolean;
}

export async function requireFile(
  ctx: Context,
  db: Reader,
  { projectId, fileId, publicationId = null }: { projectId?: string; fileId: string; publicationId?: string | null },
  permission: SchedulePermission,
): Promise<ScheduledFile> {
  if (projectId) await requireProject(ctx, db, projectId, 'project.view');
  const [row] = await db
    .select({ path: files.path, project: projects, grants: callerGrants(ctx.actor) })
    .from(files)
    .innerJoin(projects, eq(projects.id, files.projectId))
    .where(
      and(
        eq(files.id, fileId),
        projectId ? eq(files.projectId, projectId) : undefined,
        isNull(files.deletedAt),
        isNull(projects.deletedAt),
      ),
    );
  if (!row) throw notFound('This file');
  const { abilities } = accessOf(ctx.actor, row.project, allGranted(row.grants));
  if (!abilities.includes('view')) throw notFound('This file');
  const access = { project: row.project, fileId, publicationId, abilities, isRunnable: isRunnable(row.path) };
  if (ctx.permitted([permission], access).length === 0 && ctx.actor.kind === 'user')
    throw denied('no_permissions', 'You do not have permission to schedule this.');
  ctx.authorize(permission, access);
  return access;
}

export async function requirePublicationFile(
  ctx: Context,
  db: Reader,
  id: string,
  permission: SchedulePermission,
): Promise<ScheduledFile> {
  const [row] = await db.select().from(publications).where(eq(publications.id, id));
  if (!row?.fileId) throw notFound('This publication');
  return requireFile(ctx, db, { fileId: row.fileId, publicationId: id }, permission);
}

export async function requireSchedule(
  ctx: Context,
  db: Reader,
  id: string,
  permission: SchedulePermission,
): Promise<{ schedule: ScheduleRow; access: ScheduledFile }> {
  const [schedule] = await db.select().from(schedules).where(eq(schedules.id, id));
  if (!schedule) throw notFound('This schedule');
  return { schedule, access: await requireFile(ctx, db, schedule, permission) };
}
