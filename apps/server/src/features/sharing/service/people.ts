import { type Paging, type PersonSummary, type ProjectPermission, withImplied } from '@atoll/contract';
import { and, asc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { denied, invalidField, notFound } from '../../../platform/errors.ts';
import { type ProjectAccess, requireLockedProject, requireProject } from '../../projects/service/access.ts';
import { countOnDay } from '../../projects/service/days.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { projectGrants, projectShares, projects } from '../../projects/table.ts';
import { findUser } from '../../users/service.ts';

export type UserGrant = typeof projectGrants.$inferSelect & { person: PersonSummary };
type GrantRow = typeof projectGrants.$inferSelect;

async function withPeople(db: Context['db'] | Transaction, rows: GrantRow[]): Promise<UserGrant[]> {
  const people = await loadPeopleOf(db, rows, (row) => row.userId);
  return rows.flatMap((row) => {
    const person = people.get(row.userId ?? '');
    return person ? [{ ...row, person }] : [];
  });
}

async function withPerson(tx: Transaction, row: GrantRow | undefined): Promise<UserGrant> {
  const [grant] = row ? await withPeople(tx, [row]) : [];
  if (!grant) throw notFound('This permission');
  return grant;
}

export async function listGrants(
  ctx: Context,
  projectId: string,
  { page, page_size }: Paging,
): Promise<{ grants: UserGrant[]; total: number }> {
  await requireProject(ctx, ctx.db, projectId, 'project.share');
  const ofPeople = and(eq(projectGrants.projectId, projectId), isNotNull(projectGrants.userId));
  const rows = await ctx.db
    .select()
    .from(projectGrants)
    .where(ofPeople)
    .orderBy(asc(projectGrants.createdAt), asc(projectGrants.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(projectGrants, ofPeople);
  return { grants: await withPeople(ctx.db, rows), total };
}

async function findGrant(tx: Transaction, projectId: string, id: string): Promise<GrantRow> {
  const [grant] = await tx
    .select()
    .from(projectGrants)
    .where(and(eq(projectGrants.id, id), eq(projectGrants.projectId, projectId), isNotNull(projectGrants.userId)));
  if (!grant) throw notFound('This permission');
  return grant;
}

/** What is asked for with all it brings along; nobody can give what they may not do themselves. */
export function grantable(
  { abilities }: ProjectAccess,
  wanted: ProjectPermission[],
  had: ProjectPermission[],
): ProjectPermission[] {
  const all = withImplied(wanted);
  const missing = all.filter((permission) => !had.includes(permission) && !abilities.includes(permission));
  if (missing.length > 0)
    throw denied('no_permissions', `You cannot grant permissions you do not have: ${missing.join(', ')}.`);
  return all;
}

/** Rights are read under the project's lock: they cannot be lost while they are being passed on. */
export const sharing = <Result>(
  ctx: Context,
  projectId: string,
  work: (write: Write, access: ProjectAccess) => Promise<Result>,
): Promise<Result> =>
  ctx.write(async (write) => {
    return work(write, await requireLockedProject(ctx, write.tx, projectId, 'project.share'));
  });

export const shareProject = (
  ctx: Context,
  projectId: string,
  input: { user_id: string; permissions: ProjectPermission[] },
): Promise<UserGrant> =>
  sharing(ctx, projectId, async (write, access) => {
    const { tx } = write;
    const user = await findUser(tx, input.user_id);
    if (!user || user.isGuest || user.suspendedAt) throw invalidField('user_id', 'This person cannot be added');
    if (user.id === access.project.ownerId) throw invalidField('user_id', 'Owns this project');
    const isOf = and(eq(projectGrants.projectId, projectId), eq(projectGrants.userId, user.id));
    const [known] = await tx.select().from(projectGrants).where(isOf);
    if (known) return setPermissions(write, access, known, input.permissions);
    const row = await addGrant(ctx, write, { projectId, userId: user.id }, grantable(access, input.permissions, []));
    await write.emit('project.shared', { project_id: projectId, user_id: user.id, by_user_id: ctx.actor.userId });
    return withPerson(tx, row);
  });

/** Who asked for access or was invited gets it the same way, and is told in other words. */
export async function addGrant(
  ctx: Context,
  { tx }: Write,
  of: { projectId: string; userId: string },
  permissions: ProjectPermission[],
): Promise<GrantRow | undefined> {
  const [row] = await tx
    .insert(projectGrants)
    .values({ ...of, permissions, createdAt: ctx.now() })
    .onConflictDoNothing()
    .returning();
  if (row) await countShare(ctx, tx, { ...of, kind: 'grant' });
  return row;
}

export const changeGrant = (
  ctx: Context,
  projectId: string,
  id: string,
  permissions: ProjectPermission[],
): Promise<UserGrant> =>
  sharing(ctx, projectId, async (write, access) =>
    setPermissions(write, access, await findGrant(write.tx, projectId, id), permissions),
  );

export async function setPermissions(
  { tx, emit }: Write,
  access: ProjectAccess,
  grant: GrantRow,
  wanted: ProjectPermission[],
): Promise<UserGrant> {
  const permissions = grantable(access, wanted, grant.permissions);
  const [row] = await tx.update(projectGrants).set({ permissions }).where(eq(projectGrants.id, grant.id)).returning();
  await emit('project.grant_changed', { project_id: grant.projectId, user_id: grant.userId ?? '' });
  return withPerson(tx, row);
}

export const setAuthor = (ctx: Context, projectId: string, id: string, isAuthor: boolean): Promise<UserGrant> =>
  sharing(ctx, projectId, async ({ tx, emit }) => {
    const grant = await findGrant(tx, projectId, id);
    const [row] = await tx.update(projectGrants).set({ isAuthor }).where(eq(projectGrants.id, id)).returning();
    await emit('project.grant_changed', { project_id: projectId, user_id: grant.userId ?? '' });
    return withPerson(tx, row);
  });

/** By somebody who may share, or by whoever it was shared with. */
export async function removeGrant(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const { abilities } = await requireLockedProject(ctx, tx, projectId, 'project.view');
    const grant = await findGrant(tx, projectId, id);
    ctx.authorize('project.unshare', { abilities, granteeId: grant.userId });
    await tx.delete(projectGrants).where(eq(projectGrants.id, id));
    await emit('project.unshared', { project_id: projectId, user_id: grant.userId ?? '' });
  });
}

const day = 24 * 60 * 60_000;

export async function copyLink(ctx: Context, projectId: string): Promise<void> {
  const access = await requireProject(ctx, ctx.db, projectId, 'project.view');
  ctx.authorize('project.copy_link', access);
  await ctx.write(({ tx }) => countShare(ctx, tx, { projectId, userId: ctx.userId, kind: 'link' }));
}

/** A person is shared with once, however often it is taken back; a link counts once a day for whoever copies it. */
async function countShare(
  ctx: Context,
  tx: Transaction,
  share: { projectId: string; userId: string; kind: 'grant' | 'link' },
): Promise<void> {
  const countedAt = ctx.now();
  const insert = tx.insert(projectShares).values({ ...share, countedAt });
  const counted = await (share.kind === 'grant'
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({
        target: [projectShares.projectId, projectShares.userId, projectShares.kind],
        set: { countedAt },
        setWhere: lt(projectShares.countedAt, new Date(countedAt.getTime() - day)),
      })
  ).returning({ userId: projectShares.userId });
  if (counted.length === 0) return;
  await tx
    .update(projects)
    .set({ shareCount: sql`${projects.shareCount} + 1` })
    .where(eq(projects.id, share.projectId));
  await countOnDay(ctx, tx, share.projectId, 'shares');
}
