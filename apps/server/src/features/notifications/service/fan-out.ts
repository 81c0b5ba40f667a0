import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { projects, projectTags, tags } from '../../projects/table.ts';
import { publicationTags } from '../../publications/table.ts';
import { teamMembers } from '../../teams/table.ts';
import { userFollows } from '../../users/table.ts';
import { tagSubscriptions } from '../table.ts';
import { type News, notify } from './notify.ts';

/** So many in one step, which is one transaction, and short enough to stand in nobody's way. */
const batchSize = 50;

const audience = z.object({
  of: z
    .enum(['followers', 'tags', 'publication_tags', 'team'])
    .describe("Of a person, of a project's or a publication's tags, or a team's members"),
  id: z.string(),
  news: z.custom<News>(),
  after: z.string().nullable(),
});
type Audience = z.infer<typeof audience>;

/** However many readers there are, each step is short. */
export const notifyManyJob = defineJob({
  kind: 'notifications.notify_many',
  payload: audience,
  concurrency: 1,
  isGentle: true,
  async run({ ctx, payload, write }) {
    const readers = await nextReaders(ctx, payload);
    if (readers.length > 0) await write((writing) => notify(ctx.within(writing), readers, payload.news));
    if (readers.length === batchSize) return { ...payload, after: readers.at(-1) ?? null };
  },
});

export const notifyLater = (write: Write, to: Omit<Audience, 'after'>): Promise<string> =>
  write.enqueue(notifyManyJob, { ...to, after: null });

async function nextReaders(ctx: Context, { of, id, after }: Audience): Promise<string[]> {
  const [table, column, where] = {
    followers: [userFollows, userFollows.followerId, eq(userFollows.followeeId, id)] as const,
    tags: subscribersOf(sql`(select ${projectTags.tagId} from ${projectTags} where ${projectTags.projectId} = ${id})`),
    publication_tags: subscribersOf(
      sql`(select ${publicationTags.tagId} from ${publicationTags} where ${publicationTags.publicationId} = ${id})`,
    ),
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

const subscribersOf = (tagIds: SQL) =>
  [tagSubscriptions, tagSubscriptions.userId, inArray(tagSubscriptions.tagId, tagIds)] as const;

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
    await notifyLater(write, {
      of: 'followers',
      id: project.ownerId,
      news: { ...news, type: 'followed_published' },
    });
    if (tag)
      await notifyLater(write, {
        of: 'tags',
        id: projectId,
        news: { ...news, type: 'tag_published', metadata: { tag: tag.name } },
      });
  });
}
