import { topics } from '@atoll/contract';
import { lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { message } from '../../platform/realtime/stream.ts';
import { allEvents, trackedDays, trackedEvents } from './table.ts';

interface TrackedEvent {
  name: string;
  properties: Record<string, unknown>;
  at: string;
}

const keptMs = 400 * 24 * 60 * 60_000;

export async function storeEvents(ctx: Context, events: TrackedEvent[]): Promise<number> {
  const { userId } = ctx.actor;
  const createdAt = ctx.now();
  await ctx.write(async ({ tx, publish }) => {
    await tx
      .insert(trackedEvents)
      .values(events.map(({ at, ...event }) => ({ ...event, userId, happenedAt: new Date(at), createdAt })));
    publish(message(topics.trackingLive, {}, 'tracked', { names: [...new Set(events.map(({ name }) => name))] }));
  });
  return events.length;
}

export async function sweepTracking(ctx: Context): Promise<void> {
  const oldest = new Date(ctx.now().getTime() - keptMs);
  await ctx.db.delete(trackedEvents).where(lt(trackedEvents.createdAt, oldest));
  await ctx.db.delete(trackedDays).where(lt(trackedDays.day, oldest.toISOString().slice(0, 10)));
}

/** Events and people of each day in UTC, by name and of all names together. */
export const eventsByDay = (where: SQL | undefined): SQL => sql`
  select day, coalesce(name, ${allEvents}) as name, count(*)::int as events, count(distinct user_id)::int as people
  from (select (created_at at time zone 'UTC')::date as day, name, user_id from ${trackedEvents} where ${where}) events
  group by grouping sets ((day, name), (day))`;

/** From the last day that was counted on: it was not over then. */
export async function countTrackedDays(ctx: Context): Promise<void> {
  await ctx.write(({ tx }) =>
    tx.execute(sql`
      insert into ${trackedDays} (day, name, events, people)
      ${eventsByDay(sql`created_at >= coalesce((select max(day) from ${trackedDays}), '1970-01-01')::timestamp at time zone 'UTC'`)}
      on conflict (day, name) do update set events = excluded.events, people = excluded.people`),
  );
}
