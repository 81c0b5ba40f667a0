import type { Overview } from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { readBuild } from '../../system/service.ts';

/** The product's own numbers; a page that is opened often, so each is one pass over one table or an estimate of it. */
const days = 30;

const startedAt = appState((system) => system.now());
const build = appState((system) => readBuild(system.config));

type Row = Record<string, unknown>;

export async function overviewOf(ctx: Context): Promise<Overview> {
  const rows = async (query: SQL) => rowsOf<Row>(await ctx.db.execute(query));
  const since = new Date(ctx.now().getTime() - (days - 1) * 24 * 60 * 60_000);
  since.setUTCHours(0, 0, 0, 0);
  const from = sql`${since.toISOString()}::timestamptz`;
  const dayAgo = sql`${new Date(ctx.now().getTime() - 24 * 60 * 60_000).toISOString()}::timestamptz`;
  const byDay = (query: SQL) => rows(query).then((found) => filled(found, since));
  const [counts = {}] = await rows(sql`select
    (select count(*) from users where not is_guest and deleted_at is null)::int people,
    (select count(*) from users where is_guest)::int guests,
    (select count(*) from users where suspended_at is not null and deleted_at is null)::int suspended,
    (select count(*) from projects where deleted_at is null and not is_hidden)::int projects,
    (select count(*) from publications)::int publications,
    (select count(*) from teams)::int teams,
    (select count(*) from kernel_sessions where ended_at is null)::int kernels,
    (select coalesce(sum(size), 0) from files)::float8 files_bytes,
    (select coalesce(sum(balance), 0) from users where balance > 0)::float8 units`);
  const [jobs = {}] = await rows(sql`select
    count(*) filter (where state = 'queued')::int queued,
    count(*) filter (where state = 'running')::int running,
    count(*) filter (where state = 'failed' and ended_at > ${dayAgo})::int failed from jobs
    where state in ('queued', 'running') or ended_at > ${dayAgo}`);
  const [mail = {}] = await rows(sql`select count(*)::int failed from deliveries
    where state = 'failed' and started_at > ${dayAgo}`);
  const day = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD') as day`;
  const { commit, tag } = await build(ctx);
  return {
    counts: counts as Overview['counts'],
    days: {
      sign_ups: await byDay(
        sql`select ${day(sql`created_at`)}, count(*)::int as value from users where not is_guest and created_at >= ${from} group by 1`,
      ),
      active: await byDay(
        sql`select ${day(sql`created_at`)}, count(distinct user_id)::int as value from tracked_events where created_at >= ${from} group by 1`,
      ),
      runs: await byDay(
        sql`select ${day(sql`started_at`)}, count(*)::int as value from runs where started_at >= ${from} group by 1`,
      ),
      failed_runs: await byDay(
        sql`select ${day(sql`started_at`)}, count(*)::int as value from runs where started_at >= ${from} and status = 'error' group by 1`,
      ),
    },
    jobs: jobs as Overview['jobs'],
    mail: mail as Overview['mail'],
    health: await healthOf(ctx),
    version: { commit: commit ?? 'unknown', tag },
    started_at: startedAt(ctx).toISOString(),
  };
}

/** Days without anything are days too. */
function filled(found: Row[], since: Date): { day: string; value: number }[] {
  const values = new Map(found.map(({ day, value }) => [String(day), Number(value)]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(since.getTime() + index * 24 * 60 * 60_000).toISOString().slice(0, 10);
    return { day, value: values.get(day) ?? 0 };
  });
}

async function healthOf(ctx: Context): Promise<Overview['health']> {
  const check = async (name: string, work: () => Promise<string>) => {
    try {
      return { name, is_well: true, detail: await work() };
    } catch (error) {
      return { name, is_well: false, detail: error instanceof Error ? error.message : 'Does not answer' };
    }
  };
  return [
    await check('Database', async () => {
      const began = performance.now();
      await ctx.db.execute(sql`select 1`);
      return `Answers in ${Math.round(performance.now() - began)} ms`;
    }),
    await check('Kernels', async () => {
      const kinds = await (await ctx.kernels.host()).kinds();
      if (kinds.length === 0) throw new Error('No kernel is installed');
      return `${kinds.length} kinds of kernel`;
    }),
    await check('Background jobs', async () => {
      const late = new Date(ctx.now().getTime() - 10 * 60_000).toISOString();
      const [found] = rowsOf<Row>(
        await ctx.db.execute(
          sql`select count(*)::int as late from jobs where state = 'queued' and due_at < ${late}::timestamptz`,
        ),
      );
      const count = Number(found?.late ?? 0);
      if (count > 0) throw new Error(`${count} are more than ten minutes late`);
      return 'None is late';
    }),
    {
      name: 'Mail',
      is_well: ctx.config.mail.isDelivered,
      detail: ctx.config.mail.isDelivered ? 'Sent by SMTP' : 'Written to a folder: SMTP is not configured',
    },
  ];
}
