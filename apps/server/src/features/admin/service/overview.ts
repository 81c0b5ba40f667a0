import type { Overview } from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { readBuild } from '../../system/service.ts';
import { countFigures, readFigures } from './figures.ts';

const startedAt = appState((system) => system.now());
const build = appState((system) => readBuild(system.config));

type Row = Record<string, unknown>;

export async function overviewOf(ctx: Context): Promise<Overview> {
  const row = async (query: SQL) => rowsOf<Row>(await ctx.db.execute(query))[0] ?? {};
  const dayAgo = sql`${new Date(ctx.now().getTime() - 24 * 60 * 60_000).toISOString()}::timestamptz`;
  const figures = (await readFigures(ctx)) ?? (await countFigures(ctx).then(() => readFigures(ctx)));
  if (!figures) throw new Error('Nothing was counted');
  const { kernels } = await row(sql`select count(*)::int kernels from kernel_sessions where ended_at is null`);
  const jobs = await row(sql`select
    count(*) filter (where state = 'queued')::int queued,
    count(*) filter (where state = 'running')::int running,
    count(*) filter (where state = 'failed' and ended_at > ${dayAgo})::int failed from jobs
    where state in ('queued', 'running') or ended_at > ${dayAgo}`);
  const mail = await row(sql`select count(*)::int failed from deliveries
    where state = 'failed' and started_at > ${dayAgo}`);
  const { commit, tag } = await build(ctx);
  return {
    counts: { ...figures.counts, kernels: Number(kernels) },
    days: figures.days,
    counted_at: figures.countedAt.toISOString(),
    jobs: jobs as Overview['jobs'],
    mail: mail as Overview['mail'],
    health: await healthOf(ctx),
    version: { commit: commit ?? 'unknown', tag },
    started_at: startedAt(ctx).toISOString(),
  };
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
      // Looking must not start it: that takes seconds, and all its memory.
      const host = await ctx.kernels.running();
      if (!host) return 'Not started yet: no one has run code on this server';
      const kinds = await host.kinds();
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
