import type { Funnel, funnelFilter } from '@atoll/contract';
import { and, gte, inArray, lt, sql, sum } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { shareOf, shares, trackedDays, trackedEvents } from '../../tracking/table.ts';

/** So many are read while a person waits. */
const mostEvents = 100_000;

/** How many people did one after the other; with very many events, of some of the people, for all of them. */
export async function funnelOf(ctx: Context, input: z.output<typeof funnelFilter>): Promise<Funnel> {
  const { step_1, step_2, step_3, step_4, step_5 } = input;
  const names = [step_1, step_2, step_3, step_4, step_5].filter((name) => name !== undefined);
  const from = input.from ? new Date(input.from) : new Date(ctx.now().getTime() - 30 * 24 * 60 * 60_000);
  const to = input.to ? new Date(input.to) : ctx.now();
  const read = await sharesToRead(ctx, names, from, to);
  const reached = (index: number) => sql.identifier(`step_${index}`);
  const inTime = sql`${trackedEvents.createdAt} >= ${from.toISOString()}::timestamptz
    and ${trackedEvents.createdAt} <= ${to.toISOString()}::timestamptz
    and ${shareOf(trackedEvents.userId)} = any(array(select generate_series(0, ${read - 1}::int)))`;
  const steps = names.map((name, index) =>
    index === 0
      ? sql`${reached(0)} as materialized (select user_id, min(created_at) as at from ${trackedEvents}
          where name = ${name} and ${inTime} group by user_id)`
      : sql`${reached(index)} as materialized (select user_id, min(${trackedEvents.createdAt}) as at from ${trackedEvents}
          join ${reached(index - 1)} before using (user_id)
          where name = ${name} and ${inTime} and ${trackedEvents.createdAt} > before.at group by user_id)`,
  );
  const counts = names.map((_, index) => sql`(select count(*)::int from ${reached(index)}) as ${reached(index)}`);
  const [found = {}] = rowsOf<Record<string, number>>(
    await ctx.db.execute(sql`with ${sql.join(steps, sql`, `)} select ${sql.join(counts, sql`, `)}`),
  );
  const people = (index: number) => Math.round(((found[`step_${index}`] ?? 0) * shares) / read);
  return { steps: names.map((name, index) => ({ name, people: people(index) })), is_estimate: read < shares };
}

async function sharesToRead(ctx: Context, names: string[], from: Date, to: Date): Promise<number> {
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);
  const nextDay = new Date(to.getTime() + 24 * 60 * 60_000);
  const isMeant = and(
    inArray(trackedDays.name, names),
    gte(trackedDays.day, dayOf(from)),
    lt(trackedDays.day, dayOf(nextDay)),
  );
  const [counted] = await ctx.db
    .select({ events: sum(trackedDays.events).mapWith(Number) })
    .from(trackedDays)
    .where(isMeant);
  const wanted = Math.floor((shares * mostEvents) / Math.max(counted?.events ?? 0, 1));
  return Math.max(1, Math.min(shares, wanted));
}
