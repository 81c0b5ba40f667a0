import { createHmac } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { publicationClaps, publicationDays, publications, publicationVisits } from '../table.ts';
import { requirePublication } from './access.ts';

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

type Counted = 'views' | 'shares' | 'clones' | 'runs';
const columns = {
  views: publications.viewCount,
  shares: publications.shareCount,
  clones: publications.cloneCount,
  runs: publications.runCount,
};

/** One more of it, on this day and in all. */
export async function countOne(ctx: Context, { tx }: Write, id: string, what: Counted): Promise<void> {
  const day = dayOf(ctx.now());
  const counted = publicationDays[what];
  await tx
    .insert(publicationDays)
    .values({ publicationId: id, day, [what]: 1 })
    .onConflictDoUpdate({
      target: [publicationDays.publicationId, publicationDays.day],
      set: { [what]: sql`${counted} + 1` },
    });
  const column = columns[what];
  await tx
    .update(publications)
    .set({ [`${what.slice(0, -1)}Count`]: sql`${column} + 1` })
    .where(eq(publications.id, id));
}

/** A view once for each visitor and day: a person, or for others what their request tells of them, as a hash of that day. */
export async function countView(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    await requirePublication(ctx, write.tx, id, 'publication.view');
    const day = dayOf(ctx.now());
    const who = ctx.actor.userId ?? `${ctx.credentials.ip} ${ctx.credentials.userAgent}`;
    const visitor = createHmac('sha256', `${ctx.config.secretKeys[0]} visitors ${day}`)
      .update(who)
      .digest('base64url')
      .slice(0, 22);
    const added = await write.tx
      .insert(publicationVisits)
      .values({ publicationId: id, day, visitor })
      .onConflictDoNothing()
      .returning({ day: publicationVisits.day });
    if (added.length > 0) await countOne(ctx, write, id, 'views');
  });
}

export async function countShare(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    await requirePublication(ctx, write.tx, id, 'publication.view');
    await countOne(ctx, write, id, 'shares');
  });
}

/** Each user claps once; the count follows the rows. */
export async function setClap(ctx: Context, id: string, isClapped: boolean) {
  return ctx.write(async (write) => {
    await requirePublication(ctx, write.tx, id, 'publication.clap');
    const { userId } = ctx;
    const changed = isClapped
      ? await write.tx
          .insert(publicationClaps)
          .values({ publicationId: id, userId, createdAt: ctx.now() })
          .onConflictDoNothing()
          .returning({ id: publicationClaps.userId })
      : await write.tx
          .delete(publicationClaps)
          .where(and(eq(publicationClaps.publicationId, id), eq(publicationClaps.userId, userId)))
          .returning({ id: publicationClaps.userId });
    const step = changed.length * (isClapped ? 1 : -1);
    const [row] = await write.tx
      .update(publications)
      .set({ clapCount: sql`${publications.clapCount} + ${step}` })
      .where(eq(publications.id, id))
      .returning({ clapCount: publications.clapCount });
    return { clap_count: row?.clapCount ?? 0, has_clapped: isClapped };
  });
}

/** Who was here before today is of no use any more. */
export async function sweepVisits(ctx: Context): Promise<void> {
  await ctx.db.delete(publicationVisits).where(lt(publicationVisits.day, dayOf(ctx.now())));
}
