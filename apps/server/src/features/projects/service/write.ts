import { type EndpointFields, guestLimits } from '@atoll/contract';
import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError, denied, invalidField } from '../../../platform/errors.ts';
import { files } from '../../files/table.ts';
import { type PlannedUser, requireSelf } from '../../users/service.ts';
import {
  type ProjectRow,
  projectOfferDays,
  projectOffers,
  projects,
  projectTags,
  projectViews,
  searchWords,
  tags,
} from '../table.ts';
import { requireLockedProject, requireProject } from './access.ts';
import { countOnDay } from './days.ts';
import { endOffers } from './end-offers.ts';

const binLife = 30 * 24 * 60 * 60_000;
const viewInterval = 30 * 60_000;

export const projectLimit = (user: PlannedUser) =>
  user.role === 'admin' ? null : user.isGuest ? guestLimits.projects : user.limits.projects;

/** Of those that count towards the limit. */
export const projectCount = (db: Database | Transaction, ownerId: string): Promise<number> =>
  db.$count(projects, and(eq(projects.ownerId, ownerId), isNull(projects.deletedAt), eq(projects.isHidden, false)));

/**
 * The user's row is the lock: two requests at once must not both find the last place free. It leaves room for rows that refer
 * to the user, as that of a project does.
 */
export const lockOwner = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.execute(sql`select 1 from users where id = ${userId} for no key update`);

async function hasRoom(write: Write, user: PlannedUser): Promise<boolean> {
  const limit = projectLimit(user);
  if (limit === null) return true;
  await lockOwner(write.tx, user.id);
  return (await projectCount(write.tx, user.id)) < limit;
}

/** Refuses a project too many, and says what helps. */
export async function assertRoom(ctx: Context, write: Write): Promise<void> {
  if (ctx.actor.isAdmin) return;
  const user = await requireSelf(ctx, write.tx);
  const limit = projectLimit(user);
  if (await hasRoom(write, user)) return;
  const advice = user.isGuest
    ? 'Guests can have one project. Create an account to have more; you keep this one.'
    : `Your plan includes ${limit} projects. Delete one or upgrade.`;
  throw new AppError('forbidden', advice, { details: { reason: 'usage_limit_reached', limit } });
}

/** What the search and the filters look through. */
export async function refreshSearch(write: Write, projectId: string): Promise<void> {
  const tagsOf = (expression: SQL) =>
    sql`(select ${expression} from ${projectTags} pt join ${tags} t on t.id = pt.tag_id where pt.project_id = ${projectId})`;
  await write.tx.execute(sql`
    update ${projects} set
      search_text = lower(name || ' ' || description || ' ' || coalesce(${tagsOf(sql`string_agg(t.name, ' ')`)}, '')),
      tag_facets = coalesce(${tagsOf(sql`array_agg('tag:' || lower(t.name))`)}, '{}')
    where id = ${projectId}`);
  await write.tx.execute(sql`
    insert into ${searchWords} select unnest(tsvector_to_array(to_tsvector('simple', search_text))) from ${projects}
    where id = ${projectId} order by 1 on conflict do nothing`);
}

/** Looking at a project counts once in half an hour, and remembers when. */
export async function viewProject(ctx: Context, id: string): Promise<ProjectRow> {
  const { project } = await requireProject(ctx, ctx.db, id, 'project.view');
  const { userId } = ctx.actor;
  if (!userId || ctx.isMasked || project.deletedAt) return project;
  return ctx.write(async ({ tx }) => {
    const viewedAt = ctx.now();
    const counted = await tx
      .insert(projectViews)
      .values({ projectId: id, userId, viewedAt })
      .onConflictDoUpdate({
        target: [projectViews.projectId, projectViews.userId],
        set: { viewedAt },
        setWhere: lt(projectViews.viewedAt, new Date(viewedAt.getTime() - viewInterval)),
      })
      .returning({ id: projectViews.projectId });
    if (counted.length === 0) return project;
    await countOnDay(ctx, tx, id, 'views');
    const [row] = await tx
      .update(projects)
      .set({ viewCount: sql`${projects.viewCount} + 1` })
      .where(eq(projects.id, id))
      .returning();
    return row ?? project;
  });
}

/** Looking into its data counts once in half an hour, as looking at the project does. */
export async function countAnalysis(ctx: Context, id: string): Promise<void> {
  const { userId } = ctx.actor;
  if (!userId || ctx.isMasked) return;
  await ctx.write(async ({ tx }) => {
    const now = ctx.now();
    const counted = await tx
      .insert(projectViews)
      .values({ projectId: id, userId, viewedAt: now, analyzedAt: now })
      .onConflictDoUpdate({
        target: [projectViews.projectId, projectViews.userId],
        set: { analyzedAt: now },
        setWhere: or(
          isNull(projectViews.analyzedAt),
          lt(projectViews.analyzedAt, new Date(now.getTime() - viewInterval)),
        ),
      })
      .returning({ id: projectViews.projectId });
    if (counted.length === 0) return;
    await tx
      .update(projects)
      .set({ analyzeCount: sql`${projects.analyzeCount} + 1` })
      .where(eq(projects.id, id));
  });
}

export async function updateProject(
  ctx: Context,
  id: string,
  update: EndpointFields<'projects', 'update'>,
): Promise<ProjectRow> {
  return ctx.write(async (write) => {
    const { project, abilities } = await requireLockedProject(ctx, write.tx, id, 'project.edit');
    const isSameAccess =
      (update.visibility ?? project.visibility) === project.visibility &&
      (update.hides_source ?? project.hidesSource) === project.hidesSource;
    if (!isSameAccess && !abilities.includes('share')) {
      throw denied('no_permissions', 'Only people who can share this project can change its visibility.');
    }
    if (
      (update.is_owner_author ?? project.isOwnerAuthor) !== project.isOwnerAuthor &&
      project.ownerId !== ctx.actor.userId
    )
      throw denied('no_permissions', 'Only the owner can change whether they are named as an author.');
    if (update.default_file_id) await assertOwnFile(write, id, update.default_file_id);
    const changed = {
      ...(update.name !== undefined && { name: update.name }),
      ...(update.description !== undefined && { description: update.description }),
      ...(update.section !== undefined && { section: update.section }),
      ...(update.language !== undefined && { language: update.language }),
      ...(update.visibility !== undefined && { visibility: update.visibility }),
      ...(update.hides_source !== undefined && { hidesSource: update.hides_source }),
      ...(update.is_owner_author !== undefined && { isOwnerAuthor: update.is_owner_author }),
      ...(update.license !== undefined && { license: update.license }),
      ...(update.default_file_id !== undefined && { defaultFileId: update.default_file_id }),
      ...(update.is_setup_complete !== undefined && { isSetupComplete: update.is_setup_complete }),
      ...(update.uses_network !== undefined && { usesNetwork: update.uses_network }),
    };
    return change(ctx, write, project, changed, Object.keys(update));
  });
}

async function assertOwnFile(write: Write, projectId: string, fileId: string): Promise<void> {
  const [file] = await write.tx
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.projectId, projectId), isNull(files.deletedAt)));
  if (!file) throw invalidField('default_file_id', 'Is not a file of this project');
}

/** One change of a project, of its own fields or of what belongs to it, with its time, its search text and its event. */
export async function change(
  ctx: Context,
  write: Write,
  project: ProjectRow,
  changed: Partial<ProjectRow>,
  fields: string[],
): Promise<ProjectRow> {
  if (fields.length === 0) return project;
  const [row] = await write.tx
    .update(projects)
    .set({ ...changed, updatedAt: ctx.now() })
    .where(eq(projects.id, project.id))
    .returning();
  if (changed.name !== undefined || changed.description !== undefined) await refreshSearch(write, project.id);
  await write.emit('project.updated', { project_id: project.id, fields });
  return row ?? project;
}

/** Into the bin; again, from a stale tab or a retry, changes nothing. */
export async function deleteProject(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.delete', { inBin: true });
    if (project.deletedAt) return;
    await write.tx.update(projects).set({ deletedAt: ctx.now() }).where(eq(projects.id, id));
    await endOffers(write, eq(projectOffers.projectId, id), 'void');
    await write.emit('project.deleted', { project_id: id, is_final: false });
  });
}

export async function deletePermanently(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.delete_permanently', { inBin: true });
    if (!project.deletedAt) throw new AppError('conflict', 'Move this project to the bin first.');
    await write.tx.delete(projects).where(eq(projects.id, id));
    await write.emit('project.deleted', { project_id: id, is_final: true });
  });
}

export async function restoreProject(ctx: Context, id: string): Promise<ProjectRow> {
  return ctx.write(async (write) => {
    const { project } = await requireProject(ctx, write.tx, id, 'project.delete', { inBin: true });
    if (!project.deletedAt) return project;
    if (project.ownerId === ctx.actor.userId) await assertRoom(ctx, write);
    const [row] = await write.tx.update(projects).set({ deletedAt: null }).where(eq(projects.id, id)).returning();
    await write.emit('project.restored', { project_id: id });
    return row ?? project;
  });
}

export async function setTags(
  ctx: Context,
  id: string,
  input: { tag_ids: string[]; names: string[] },
): Promise<ProjectRow> {
  return ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.edit');
    const known = input.tag_ids.length
      ? await write.tx.select({ id: tags.id }).from(tags).where(inArray(tags.id, input.tag_ids))
      : [];
    if (known.length !== new Set(input.tag_ids).size) throw invalidField('tag_ids', 'Is not a known tag');
    const wanted = new Set(known.map((tag) => tag.id));
    for (const name of input.names) {
      await write.tx.insert(tags).values({ name }).onConflictDoNothing();
      const [tag] = await write.tx
        .select({ id: tags.id })
        .from(tags)
        .where(eq(sql`lower(${tags.name})`, name.toLowerCase()));
      if (tag) wanted.add(tag.id);
    }
    await write.tx.delete(projectTags).where(eq(projectTags.projectId, id));
    if (wanted.size) await write.tx.insert(projectTags).values([...wanted].map((tagId) => ({ projectId: id, tagId })));
    await refreshSearch(write, id);
    return change(ctx, write, project, {}, ['tags']);
  });
}

/** A guest's projects go to the account the guest signed in to. */
export async function adoptProjects(ctx: Context, guestId: string, userId: string): Promise<void> {
  await ctx.write(async ({ tx }) => {
    await tx.update(projects).set({ ownerId: userId, ownedAt: ctx.now() }).where(eq(projects.ownerId, guestId));
  });
}

/** Empties the bin of what has been in it for 30 days, and forgets how much was offered on days before yesterday. */
export async function sweepProjects(ctx: Context): Promise<void> {
  const yesterday = new Date(ctx.now().getTime() - 24 * 60 * 60_000).toISOString().slice(0, 10);
  await ctx.db.delete(projectOfferDays).where(lt(projectOfferDays.day, yesterday));
  await ctx.db.delete(projects).where(lt(projects.deletedAt, new Date(ctx.now().getTime() - binLife)));
}
