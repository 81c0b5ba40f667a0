import type { trackingFilter } from '@atoll/contract';
import { and, count, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { trackedEvents } from '../../tracking/table.ts';

type Input = z.output<typeof trackingFilter> & { before?: string | undefined; page_size: number };

export async function trackedActivity(ctx: Context, input: Input) {
  const began = input.from ? new Date(input.from) : new Date(ctx.now().getTime() - 30 * 24 * 60 * 60_000);
  const inTime = and(
    gte(trackedEvents.createdAt, began),
    input.to ? lt(trackedEvents.createdAt, new Date(input.to)) : undefined,
    input.user_id ? eq(trackedEvents.userId, input.user_id) : undefined,
  );
  const isMeant = and(inTime, input.name ? eq(trackedEvents.name, input.name) : undefined);
  const sums = { events: count(), people: sql<number>`count(distinct ${trackedEvents.userId})::int` };
  const day = sql<string>`to_char(${trackedEvents.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  const days = await ctx.db
    .select({ day, ...sums })
    .from(trackedEvents)
    .where(isMeant)
    .groupBy(day)
    .orderBy(sql`1`);
  const names = await ctx.db
    .select({ name: trackedEvents.name, ...sums })
    .from(trackedEvents)
    .where(inTime)
    .groupBy(trackedEvents.name)
    .orderBy(sql`2 desc, 1`)
    .limit(100);
  const rows = await ctx.db
    .select()
    .from(trackedEvents)
    .where(and(isMeant, input.before ? lt(trackedEvents.id, input.before) : undefined))
    .orderBy(desc(trackedEvents.id))
    .limit(input.page_size + 1);
  const page = rows.slice(0, input.page_size);
  const people = await loadPeople(
    ctx.db,
    page.flatMap(({ userId }) => userId ?? []),
  );
  return {
    days,
    names,
    entries: page.map((row) => ({
      id: row.id,
      name: row.name,
      person: people.get(row.userId ?? '') ?? null,
      properties: row.properties,
      happened_at: row.happenedAt.toISOString(),
    })),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}
