import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { AppError, denied } from '../../../platform/errors.ts';
import { fileChanges, files, fileVersions } from '../../files/table.ts';
import { notebooks } from '../../notebooks/table.ts';
import { strategyRuns } from '../../strategies/table.ts';
import { type ProjectRow, projectGrants, projectOffers, projects } from '../table.ts';
import { requireLockedProject } from './access.ts';
import { change } from './write.ts';

/** An admin who deletes an account hands its projects over without an offer. */
interface Handover {
  toId: string;
  offeredById: string | null;
}

/** The project and everything in it changes hands; the giver keeps what was granted to them, and nothing else. */
export async function changeOwner(
  ctx: Context,
  write: Write,
  { id, ownerId }: Pick<ProjectRow, 'id' | 'ownerId'>,
  { toId, offeredById }: Handover,
): Promise<void> {
  const { tx } = write;
  // Whoever owns it needs no grant.
  await tx.delete(projectGrants).where(and(eq(projectGrants.projectId, id), eq(projectGrants.userId, toId)));
  await tx.delete(projectOffers).where(eq(projectOffers.projectId, id));
  await tx
    .update(projects)
    .set({
      ownerId: toId,
      ownedAt: ctx.now(),
      updatedAt: ctx.now(),
      isOwnerAuthor: true,
      isAwaitingReview: await hasWorkOfOthers(tx, id, toId),
    })
    .where(eq(projects.id, id));
  await write.emit('project.transferred', {
    project_id: id,
    from_user_id: ownerId,
    to_user_id: toId,
    offered_by_id: offeredById,
  });
}

/** Deleted files count, because they can be restored. */
async function hasWorkOfOthers(tx: Transaction, projectId: string, userId: string): Promise<boolean> {
  const isByAnother = (table: typeof fileVersions | typeof fileChanges | typeof notebooks, author: unknown) =>
    sql`exists (select from ${table} where ${table.fileId} = ${files.id} and ${author} is distinct from ${userId}::uuid)`;
  const [found] = rowsOf<{ id: string }>(
    await tx.execute(sql`select id from ${files} where ${files.projectId} = ${projectId} and (
      ${isByAnother(fileVersions, fileVersions.authorId)}
      or ${isByAnother(fileChanges, fileChanges.userId)}
      or exists (select from ${notebooks} where ${notebooks.fileId} = ${files.id} and ${notebooks.isEdited}
        and ${notebooks.changedById} is distinct from ${userId}::uuid)) limit 1`),
  );
  return found !== undefined;
}

/** They trade on the connections of the owner, who could neither see nor stop them from outside of the project. */
export async function assertNoRuns(tx: Transaction, { id, ownerId }: ProjectRow, advice: string): Promise<void> {
  const isGoing = and(eq(strategyRuns.projectId, id), eq(strategyRuns.ownerId, ownerId), isNull(strategyRuns.endedAt));
  if ((await tx.$count(strategyRuns, isGoing)) > 0)
    throw new AppError('conflict', advice, { details: { reason: 'strategies_running' } });
}

/** The owner has read what came from others. */
export const acceptCode = (ctx: Context, id: string): Promise<ProjectRow> =>
  ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.view');
    if (project.ownerId !== ctx.userId)
      throw denied('no_permissions', 'Only the owner can accept the code of this project.');
    ctx.authorize('project.accept_code', { userId: project.ownerId });
    if (!project.isAwaitingReview) return project;
    return change(ctx, write, project, { isAwaitingReview: false }, ['is_awaiting_review']);
  });
