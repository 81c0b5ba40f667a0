import type { Overview } from '@atoll/contract';
import { gte, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { countTrackedDays } from '../../tracking/service.ts';
import { allEvents, trackedDays } from '../../tracking/table.ts';
import { dailyFigures } from '../table.ts';
import { countUsages } from './usages.ts';

const dayMs = 24 * 60 * 60_000;
const shownDays = 30;
const keptDays = 400;

type Counts = Omit<Overview['counts'], 'kernels'>;
type Charts = Overview['days'];

const counts: Record<keyof Counts, SQL> = {
  people: sql`select count(*) from users where not is_guest and deleted_at is null`,
  guests: sql`select count(*) from users where is_guest`,
  suspended: sql`select count(*) from users where suspended_at is not null and deleted_at is null`,
  projects: sql`select count(*) from projects where deleted_at is null and not is_hidden`,
  publications: sql`select count(*) from publications`,
  teams: sql`select count(*) from teams`,
  files_bytes: sql`select coalesce(sum(size), 0) from files`,
  units: sql`select coalesce(sum(balance), 0) from users where balance > 0`,
};

/** By the time they happened. */
const charts: Record<keyof Charts, { table: SQL; at: SQL; value: SQL; where?: SQL }> = {
  sign_ups: { table: sql`users`, at: sql`created_at`, value: sql`count(*)`, where: sql`not is_guest` },
  active: {
    table: sql`${trackedDays}`,
    at: sql`day::timestamp at time zone 'UTC'`,
    value: sql`max(people)`,
    where: sql`name = ${allEvents}`,
  },
  runs: { table: sql`runs`, at: sql`started_at`, value: sql`count(*)` },
  failed_runs: { table: sql`runs`, at: sql`started_at`, value: sql`count(*)`, where: sql`status = 'error'` },
};

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
const firstDay = (ctx: Context) => new Date(ctx.now().getTime() - (shownDays - 1) * dayMs);

/** Counts what the overview shows; of the charts only the days since it was last done. */
export async function countFigures(ctx: Context): Promise<void> {
  await countTrackedDays(ctx);
  const now = sql`${ctx.now().toISOString()}::timestamptz`;
  const today = dayOf(ctx.now());
  await ctx.write(async ({ tx }) => {
    const store = (values: SQL) =>
      tx.execute(sql`insert into ${dailyFigures} (day, name, value, counted_at) ${values}
        on conflict (day, name) do update set value = excluded.value, counted_at = excluded.counted_at`);
    const since = sql`greatest(${dayOf(firstDay(ctx))}::date,
      (select max(day) from ${dailyFigures} where day <= ${today}::date))::timestamp at time zone 'UTC'`;
    for (const [name, { table, at, value, where = sql`true` }] of Object.entries(charts))
      await store(sql`
        select (${at} at time zone 'UTC')::date, ${name}, ${value}, ${now} from ${table}
        where ${where} and ${at} >= ${since} group by 1`);
    for (const [name, query] of Object.entries(counts))
      await store(sql`select ${today}::date, ${name}, (${query}), ${now}`);
    await tx.delete(dailyFigures).where(lt(dailyFigures.day, dayOf(new Date(ctx.now().getTime() - keptDays * dayMs))));
  });
}

export const countJob = defineJob({
  kind: 'admin.count',
  payload: z.strictObject({}),
  concurrency: 1,
  async run({ ctx }) {
    await countFigures(ctx);
    await countUsages(ctx);
  },
});
export const countSchedule = { cron: '*/5 * * * *', job: countJob, payload: {}, isRunAtStart: true };

export async function readFigures(
  ctx: Context,
): Promise<{ counts: Counts; days: Charts; countedAt: Date } | undefined> {
  const since = firstDay(ctx);
  const rows = await ctx.db
    .select()
    .from(dailyFigures)
    .where(gte(dailyFigures.day, dayOf(since)))
    .orderBy(dailyFigures.day);
  // The newest comes last.
  const newest = new Map(rows.map((row) => [row.name, row]));
  const countedAt = newest.get('people')?.countedAt;
  if (!countedAt) return;
  const values = new Map(rows.map(({ day, name, value }) => [`${name} ${day}`, value]));
  /** Days without anything are days too. */
  const chart = (name: string) =>
    Array.from({ length: shownDays }, (_, index) => {
      const day = dayOf(new Date(since.getTime() + index * dayMs));
      return { day, value: values.get(`${name} ${day}`) ?? 0 };
    });
  return {
    counts: Object.fromEntries(Object.keys(counts).map((name) => [name, newest.get(name)?.value ?? 0])) as Counts,
    days: Object.fromEntries(Object.keys(charts).map((name) => [name, chart(name)])) as Charts,
    countedAt,
  };
}
