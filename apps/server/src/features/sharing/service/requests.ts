import { type Paging, type ProjectPermission, type RequestStatus, withImplied } from '@atoll/contract';
import { and, desc, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { accessOf, allGranted, callerGrants, requireProject } from '../../projects/service/access.ts';
import { type ProjectRow, projectGrants, projects } from '../../projects/table.ts';
import { answerTo, type WithPeople, withPeople, withPerson } from '../../users/requests.ts';
import { type AccessRequestRow, accessRequests } from '../table.ts';
import { addGrant, grantable, sharing } from './people.ts';

/** The project's name is null for whoever may not see it. */
export type Request = WithPeople<AccessRequestRow> & { projectName: string | null };

export async function listRequests(
  ctx: Context,
  projectId: string,
  query: Paging & { status?: RequestStatus },
): Promise<{ requests: Request[]; total: number }> {
  const { project } = await requireProject(ctx, ctx.db, projectId, 'project.share');
  const where = and(
    eq(accessRequests.projectId, projectId),
    query.status ? eq(accessRequests.status, query.status) : undefined,
  );
  const rows = await ctx.db
    .select()
    .from(accessRequests)
    .where(where)
    .orderBy(desc(accessRequests.createdAt), desc(accessRequests.id))
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  const total = await ctx.db.$count(accessRequests, where);
  const requests = await withPeople(ctx.db, rows);
  return {
    requests: requests.map((request) => ({ ...request, projectName: project.name })),
    total,
  };
}

/** The project behind a link, whether the caller may see it or not. */
async function linkedProject(ctx: Context, db: Database | Transaction, id: string) {
  const [found] = await db
    .select({ project: projects, grants: callerGrants(ctx.actor) })
    .from(projects)
    .where(eq(projects.id, id));
  if (!found || found.project.deletedAt) throw notFound('This project');
  const { abilities } = accessOf(ctx.actor, found.project, allGranted(found.grants));
  return { project: found.project, canSee: abilities.includes('view'), canEdit: abilities.includes('edit') };
}

const nameFor = ({ project, canSee }: { project: ProjectRow; canSee: boolean }) => (canSee ? project.name : null);

export const requestAccess = (ctx: Context, projectId: string, reason: string): Promise<Request> =>
  ctx.write(async ({ tx, emit }) => {
    const linked = await linkedProject(ctx, tx, projectId);
    // Who can only look, because it is public or by its link, may want to take part.
    if (linked.canEdit) throw new AppError('conflict', 'You already have access.');
    const { userId } = ctx;
    const [made] = await tx
      .insert(accessRequests)
      .values({ projectId, userId, reason, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning();
    if (made) await emit('access.requested', { project_id: projectId, request_id: made.id, user_id: userId });
    const row = made ?? (await newestOf(tx, projectId, userId));
    return { ...(await withPerson(tx, row)), projectName: nameFor(linked) };
  });

async function newestOf(db: Database | Transaction, projectId: string, userId: string) {
  const [row] = await db
    .select()
    .from(accessRequests)
    .where(and(eq(accessRequests.projectId, projectId), eq(accessRequests.userId, userId)))
    .orderBy(desc(accessRequests.createdAt), desc(accessRequests.id))
    .limit(1);
  return row;
}

export async function myRequest(ctx: Context, projectId: string): Promise<Request | null> {
  const linked = await linkedProject(ctx, ctx.db, projectId);
  const row = await newestOf(ctx.db, projectId, ctx.userId);
  return row ? { ...(await withPerson(ctx.db, row)), projectName: nameFor(linked) } : null;
}

async function findRequest(db: Transaction | Database, projectId: string, id: string): Promise<AccessRequestRow> {
  const [row] = await db
    .select()
    .from(accessRequests)
    .where(and(eq(accessRequests.id, id), eq(accessRequests.projectId, projectId)));
  if (!row) throw notFound('This request');
  return row;
}

/** For whoever made it, and whoever may answer it. */
export async function getRequest(ctx: Context, projectId: string, id: string): Promise<Request> {
  const row = await findRequest(ctx.db, projectId, id);
  const linked = await linkedProject(ctx, ctx.db, projectId);
  const isOwn = row.userId === ctx.actor.userId;
  if (!isOwn) await requireProject(ctx, ctx.db, projectId, 'project.share');
  ctx.authorize('access_request.view', { userId: row.userId, canShare: !isOwn });
  return { ...(await withPerson(ctx.db, row)), projectName: nameFor(linked) };
}

async function answer(
  ctx: Context,
  { tx, emit }: Write,
  id: string,
  status: Exclude<RequestStatus, 'pending'>,
): Promise<WithPeople<AccessRequestRow>> {
  const [request] = await tx.select().from(accessRequests).where(eq(accessRequests.id, id)).for('update');
  if (!request) throw notFound('This request');
  const [row] = await tx
    .update(accessRequests)
    .set(await answerTo(ctx, tx, request, status))
    .where(eq(accessRequests.id, id))
    .returning();
  const { projectId: project_id, userId: user_id } = request;
  await emit('access.answered', { project_id, request_id: id, user_id, by_user_id: ctx.actor.userId, status });
  return withPerson(tx, row);
}

export const answerRequest = (
  ctx: Context,
  input: { id: string; requestId: string; permissions?: ProjectPermission[] },
  status: 'approved' | 'rejected',
): Promise<Request> =>
  sharing(ctx, input.id, async (write, access) => {
    const request = await findRequest(write.tx, input.id, input.requestId);
    const answered = await answer(ctx, write, request.id, status);
    if (status === 'approved') {
      const permissions = grantable(access, input.permissions ?? ['view'], []);
      const of = { projectId: input.id, userId: request.userId };
      if (!(await addGrant(ctx, write, of, permissions))) await widenGrant(write, of, permissions);
    }
    return { ...answered, projectName: access.project.name };
  });

/** Who could look already and asked for more. */
async function widenGrant({ tx }: Write, of: { projectId: string; userId: string }, more: ProjectPermission[]) {
  const isOf = and(eq(projectGrants.projectId, of.projectId), eq(projectGrants.userId, of.userId));
  const [grant] = await tx.select().from(projectGrants).where(isOf);
  if (!grant) return;
  await tx
    .update(projectGrants)
    .set({ permissions: withImplied([...grant.permissions, ...more]) })
    .where(isOf);
}

export const cancelRequest = (ctx: Context, projectId: string, id: string): Promise<Request> =>
  ctx.write(async (write) => {
    const request = await findRequest(write.tx, projectId, id);
    ctx.authorize('access_request.cancel', request);
    const linked = await linkedProject(ctx, write.tx, projectId);
    return { ...(await answer(ctx, write, id, 'canceled')), projectName: nameFor(linked) };
  });
