import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { enqueue } from '../../../platform/jobs/queue.ts';
import { projects, projectTags, tags } from '../../projects/table.ts';
import { teamMembers } from '../../teams/table.ts';
import { userFollows } from '../../users/table.ts';
import { tagSubscriptions } from '../table.ts';
import { type News, notify } from './notify.ts';

/** So many in one step, which is one transaction, and short enough to stand in nobody's way. */
const batchSize = 50;

export interface Audience {
  /** Of whom: followers of a person, subscribers of a project's tags, or members of a team. */
  of: 'followers' | 'tags' | 'team';
  id: string;
  news: News;
  after: string | null;
}

export const tellLater = (ctx: Context, { tx }: Write, audience: Omit<Audience, 'after'>): Promise<void> =>
  enqueue(tx, ctx.now(), 'notify', { ...audience, after: null });

/** However many there are, each step is short; answers after whom the next begins, or null when all are told. */
export async function tellNext(ctx: Context, audience: Audience): Promise<string | null> {
  const readers = await nextReaders(ctx, audience);
  if (readers.length > 0) await ctx.write((write) => notify(ctx, write, readers, audience.news));
  return readers.length === batchSize ? (readers.at(-1) ?? null) : null;
}

async function nextReaders(ctx: Context, { of, id, after }: Audience): Promise<string[]> {
  const [table, column, where] = {
    followers: [userFollows, userFollows.followerId, eq(userFollows.followeeId, id)] as const,
    tags: [
      tagSubscriptions,
      tagSubscriptions.userId,
      inArray(
        tagSubscriptions.tagId,
        sql`(select ${projectTags.tagId} from ${projectTags} where ${projectTags.projectId} = ${id})`,
      ),
    ] as const,
    team: [teamMembers, teamMembers.userId, eq(teamMembers.teamId, id)] as const,
  }[of] as readonly [typeof teamMembers, typeof teamMembers.userId, SQL];
  const rows = await ctx.db
    .selectDistinct({ id: column })
    .from(table)
    .where(and(where, after ? gt(column, after) : undefined))
    .orderBy(asc(column))
    .limit(batchSize);
  return rows.map((row) => row.id);
}

/** Once in the life of a project, however often it is hidden and shown again. */
export async function tellOfPublished(ctx: Context, projectId: string): Promise<void> {
  const [project] = await ctx.db.select().from(projects).where(eq(projects.id, projectId));
  if (!project || project.deletedAt || project.visibility === 'private') return;
  const [tag] = await ctx.db
    .select({ name: tags.name })
    .from(projectTags)
    .innerJoin(tags, eq(tags.id, projectTags.tagId))
    .where(eq(projectTags.projectId, projectId))
    .limit(1);
  const news = { actorId: project.ownerId, projectId, key: `published:${projectId}` };
  await ctx.write(async (write) => {
    await tellLater(ctx, write, {
      of: 'followers',
      id: project.ownerId,
      news: { ...news, type: 'followed_published' },
    });
    if (tag)
      await tellLater(ctx, write, {
        of: 'tags',
        id: projectId,
        news: { ...news, type: 'tag_published', metadata: { tag: tag.name } },
      });
  });
}
