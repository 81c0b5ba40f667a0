import { eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { notifyLater } from '../notifications/service/fan-out.ts';
import { notify } from '../notifications/service/notify.ts';
import { projectGrants, projects, tags } from '../projects/table.ts';
import { teamMembers } from '../teams/table.ts';
import { readersAmong } from './service/access.ts';
import { publications, publicationTags } from './table.ts';

export const publicationNotifications: EventHandlers = {
  'publication.published': (ctx, { publication_id }, { actorId }) => notifyAudience(ctx, publication_id, actorId),
  // One that was shared by its link before may be public now.
  'publication.updated': (ctx, { publication_id }, { actorId }) => notifyAudience(ctx, publication_id, actorId),
};

/** Each audience is notified once in the life of a publication, however often it is hidden and shown again. */
async function notifyAudience(ctx: Context, id: string, actorId: string | null): Promise<void> {
  const [found] = await ctx.db
    .select({ publication: publications, project: projects })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .where(eq(publications.id, id));
  if (!found?.publication.versionId || found.project.deletedAt) return;
  const { publication, project } = found;
  const news = { actorId, projectId: project.id, entity: { type: 'publication' as const, id } };
  if (publication.accessLevel === 'collaborator_shared') {
    const readers = await readersAmong(ctx.db, id, await collaboratorsOf(ctx, project.id));
    await notify(ctx, readers, { ...news, type: 'publication_shared', key: `publication_shared:${id}` });
  }
  if (publication.accessLevel !== 'public') return;
  const [tag] = await ctx.db
    .select({ name: tags.name })
    .from(publicationTags)
    .innerJoin(tags, eq(tags.id, publicationTags.tagId))
    .where(eq(publicationTags.publicationId, id))
    .limit(1);
  const key = `publication:${id}`;
  await ctx.write(async (write) => {
    const followed = { ...news, key, type: 'publication_followed' as const };
    await notifyLater(write, { of: 'followers', id: project.ownerId, news: followed });
    if (!tag) return;
    const tagged = { ...news, key, type: 'publication_tagged' as const, metadata: { tag: tag.name } };
    await notifyLater(write, { of: 'publication_tags', id, news: tagged });
  });
}

async function collaboratorsOf(ctx: Context, projectId: string): Promise<string[]> {
  const rows = await ctx.db
    .select({ userId: projectGrants.userId, memberId: teamMembers.userId })
    .from(projectGrants)
    .leftJoin(teamMembers, eq(teamMembers.teamId, projectGrants.teamId))
    .where(eq(projectGrants.projectId, projectId));
  return [...new Set(rows.flatMap(({ userId, memberId }) => userId ?? memberId ?? []))];
}
