import type { AnalyticsCounts, EndpointInput } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { invalidField } from '../../../platform/errors.ts';
import { requireProject } from '../../projects/service/access.ts';
import { projectDays } from '../../projects/table.ts';
import { publicationDays, publications } from '../../publications/table.ts';

const dayMs = 86_400_000;
const mostDays = 1_100;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const none: AnalyticsCounts = {
  views: 0,
  clones: 0,
  runs: 0,
  shares: 0,
  publication_views: 0,
  publication_shares: 0,
  publication_clones: 0,
  publication_runs: 0,
};
const names = Object.keys(none) as (keyof AnalyticsCounts)[];

export async function analyticsOf(ctx: Context, { id, group_by, ...range }: EndpointInput<'analysis', 'analytics'>) {
  await requireProject(ctx, ctx.db, id, 'project.view_analytics');
  const to = range.to ?? range.from ?? dayOf(ctx.now().getTime());
  const from = range.from ?? dayOf(Date.parse(to) - 29 * dayMs);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days < 0) throw invalidField('to', 'Must not be before the first day');
  if (days > mostDays) throw invalidField('from', 'A range has at most three years');
  const rows = rowsOf<AnalyticsCounts & { start: string }>(
    await ctx.db.execute(sql`
    with counted as (
      select day, views, clones, runs, shares,
        0 as publication_views, 0 as publication_shares, 0 as publication_clones, 0 as publication_runs
      from ${projectDays} where project_id = ${id}
      union all
      select counts.day, 0, 0, 0, 0, counts.views, counts.shares, counts.clones, counts.runs
      from ${publicationDays} counts join ${publications} on publications.id = counts.publication_id
      where publications.project_id = ${id})
    select to_char(bucket, 'YYYY-MM-DD') as start,
      ${sql.join(
        names.map((name) => sql`coalesce(sum(${sql.identifier(name)}), 0)::int as ${sql.identifier(name)}`),
        sql`, `,
      )}
    from generate_series(
      date_trunc(${group_by}, ${from}::timestamp), ${to}::timestamp, ${`1 ${group_by}`}::interval) bucket
    left join counted on date_trunc(${group_by}, counted.day::timestamp) = bucket
      and counted.day between ${from}::date and ${to}::date
    group by bucket order by bucket`),
  );
  const totals = { ...none };
  for (const row of rows) for (const name of names) totals[name] += row[name];
  return { group_by, from, to, entries: rows, totals };
}
