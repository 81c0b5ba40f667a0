import type { EndpointInput } from '@atoll/contract';
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { eventsByDay } from '../../tracking/service.ts';
import { allEvents, trackedDays, trackedEvents } from '../../tracking/table.ts';

type Input = EndpointInput<'admin', 'tracking'>;

type Day = { day: string; events: number; people: number };
type Named = { name: string; events: number; people_per_day: number };

/** Whole days. */
const countedDays = (from: Date, to?: string) => sql`select day, name, events, people from ${trackedDays}
  where day >= ${from.toISOString()}::timestamptz::date
  ${to ? sql`and day < ${to}::timestamptz` : sql``}`;

const beginOf = (ctx: Context, { from }: Input) =>
  from ? new Date(from) : new Date(ctx.now().getTime() - 30 * 24 * 60 * 60_000);

const meantBy = (ctx: Context, input: Input) =>
  and(
    gte(trackedEvents.createdAt, beginOf(ctx, input)),
    input.to ? lt(trackedEvents.createdAt, new Date(input.to)) : undefined,
    input.user_id ? eq(trackedEvents.userId, input.user_id) : undefined,
  );

export async function trackedActivity(ctx: Context, input: Input) {
  // What one person did is little enough to be counted now.
  const counted = input.user_id ? eventsByDay(meantBy(ctx, input)) : countedDays(beginOf(ctx, input), input.to);
  const sums = async <Row>(query: SQL) => rowsOf<Row>(await ctx.db.execute(query));
  const days = await sums<Day>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, events, people from (${counted}) counted
    where name = ${input.name ?? allEvents} order by day`);
  const names = await sums<Named>(sql`
    select name, sum(events)::int as events, round(avg(people), 1)::float8 as people_per_day from (${counted}) counted
    where name <> ${allEvents} group by name order by 2 desc, 1 limit 100`);
  return { days, names, ...(await trackedEntries(ctx, input)) };
}

/** Newest first. */
export async function trackedEntries(ctx: Context, input: Input) {
  const isMeant = and(meantBy(ctx, input), input.name ? eq(trackedEvents.name, input.name) : undefined);
  const rows = await ctx.db
    .select()
    .from(trackedEvents)
    .where(and(isMeant, input.before ? lt(trackedEvents.id, input.before) : undefined))
    .orderBy(desc(trackedEvents.id))
    .limit(input.page_size + 1);
  const page = rows.slice(0, input.page_size);
  const people = await loadPeopleOf(ctx.db, page, ({ userId }) => userId);
  return {
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
