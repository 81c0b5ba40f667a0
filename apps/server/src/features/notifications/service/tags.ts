import type { Tag } from '@atoll/contract';
import { and, asc, eq } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { invalidField } from '../../../platform/errors.ts';
import { tags } from '../../projects/table.ts';
import { tagSubscriptions } from '../table.ts';

export const listTagSubscriptions = (ctx: Context): Promise<Tag[]> =>
  ctx.db
    .select({ id: tags.id, name: tags.name })
    .from(tagSubscriptions)
    .innerJoin(tags, eq(tags.id, tagSubscriptions.tagId))
    .where(eq(tagSubscriptions.userId, ctx.actor.userId ?? nobody))
    .orderBy(asc(tags.name));

export const subscribeToTag = (ctx: Context, tagId: string): Promise<Tag> =>
  ctx.write(async ({ tx }) => {
    const [tag] = await tx.select().from(tags).where(eq(tags.id, tagId));
    if (!tag) throw invalidField('tag_id', 'Is not a known tag');
    await tx.insert(tagSubscriptions).values({ userId: ctx.userId, tagId, createdAt: ctx.now() }).onConflictDoNothing();
    return tag;
  });

export async function unsubscribeFromTag(ctx: Context, tagId: string): Promise<void> {
  await ctx.write(({ tx }) =>
    tx
      .delete(tagSubscriptions)
      .where(and(eq(tagSubscriptions.userId, ctx.actor.userId ?? nobody), eq(tagSubscriptions.tagId, tagId))),
  );
}
