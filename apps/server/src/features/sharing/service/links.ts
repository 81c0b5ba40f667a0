import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { equalSecrets, hashSecret, newSecret } from '../../../platform/secrets.ts';
import { requireProject } from '../../projects/service/access.ts';
import { loadPerson } from '../../projects/service/relations.ts';
import { projectLinks, projectLinkViewers, projects } from '../../projects/table.ts';
import { sharing } from './people.ts';

type LinkRow = typeof projectLinks.$inferSelect;

async function view(db: Context['db'], link: LinkRow) {
  const viewers = await db.$count(projectLinkViewers, eq(projectLinkViewers.projectId, link.projectId));
  return {
    created_at: link.createdAt.toISOString(),
    created_by: await loadPerson(db, link.createdById),
    viewers_count: viewers,
  };
}

export async function getLink(ctx: Context, projectId: string) {
  await requireProject(ctx, ctx.db, projectId, 'project.share');
  const [link] = await ctx.db.select().from(projectLinks).where(eq(projectLinks.projectId, projectId));
  return link ? view(ctx.db, link) : null;
}

/** A new one in the place of the one there was: who came by that needs the new one. */
export const createLink = (ctx: Context, projectId: string) =>
  sharing(ctx, projectId, async ({ tx, emit }) => {
    const ended = await tx.delete(projectLinks).where(eq(projectLinks.projectId, projectId)).returning();
    const secret = newSecret();
    const [link] = await tx
      .insert(projectLinks)
      .values({ projectId, secretHash: hashSecret(secret), createdAt: ctx.now(), createdById: ctx.actor.userId })
      .returning();
    if (!link) throw new Error('The link was not stored');
    await emit('project.link_changed', { project_id: projectId, change: ended.length > 0 ? 'renewed' : 'created' });
    return { ...(await view(tx, link)), secret };
  });

export const endLink = (ctx: Context, projectId: string): Promise<void> =>
  sharing(ctx, projectId, async ({ tx, emit }) => {
    const ended = await tx.delete(projectLinks).where(eq(projectLinks.projectId, projectId)).returning();
    if (ended.length > 0) await emit('project.link_changed', { project_id: projectId, change: 'ended' });
  });

/** Whether the project or the secret is wrong is not told. */
export async function openLink(ctx: Context, projectId: string, secret: string): Promise<void> {
  const { userId } = ctx.actor;
  await ctx.write(async ({ tx }) => {
    const [found] = await tx
      .select({ link: projectLinks, deletedAt: projects.deletedAt })
      .from(projectLinks)
      .innerJoin(projects, eq(projects.id, projectLinks.projectId))
      .where(eq(projectLinks.projectId, projectId))
      .for('share', { of: projectLinks });
    const isRight = found && !found.deletedAt && equalSecrets(found.link.secretHash, hashSecret(secret));
    if (!isRight || !userId) throw new AppError('not_found', 'This link is not valid any more. Ask for a new one.');
    await tx.insert(projectLinkViewers).values({ projectId, userId, openedAt: ctx.now() }).onConflictDoNothing();
  });
}
