import type { EndpointInput, KernelHistory } from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { kernelSamples } from '../../kernels/table.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';

const points = 48;
const peopleShown = 50;

interface Person {
  user_id: string;
  memory_peak: number;
  cpu_seconds: number;
}

/** What kernels took in the last hours: in even steps, and by person. */
export async function kernelHistory(
  ctx: Context,
  { hours, user_id }: EndpointInput<'admin', 'kernelHistory'>,
): Promise<KernelHistory> {
  const stepMs = (hours * 3_600_000) / points;
  const began = ctx.now().getTime() - hours * 3_600_000;
  const rows = async <Row>(query: SQL) => rowsOf<Row>(await ctx.db.execute(query));
  // All that was sampled within a minute is one moment: servers do not sample at the same time.
  const moments = (of: SQL) => sql`
    select ${of} date_trunc('minute', sampled_at) as moment, sum(kernels) as kernels, sum(memory_bytes) as memory, sum(cpu_ms) as cpu
    from ${kernelSamples} where sampled_at >= ${new Date(began).toISOString()}::timestamptz
    ${user_id ? sql`and user_id = ${user_id}` : sql``} group by ${of} moment`;
  const found = await rows<{ step: number; kernels: number; memory: number; cpu: number }>(sql`
    select least(floor((extract(epoch from moment) * 1000 - ${began}::float8) / ${stepMs}::float8), ${points - 1})::int as step,
      max(kernels)::int as kernels, max(memory)::float8 as memory, sum(cpu)::float8 as cpu
    from (${moments(sql``)}) moments group by 1`);
  const people = await rows<Person>(sql`
    select user_id, max(memory)::float8 as memory_peak, (sum(cpu) / 1000)::float8 as cpu_seconds
    from (${moments(sql`user_id,`)}) moments group by user_id order by 2 desc, 1 limit ${peopleShown}`);
  const named = await loadPeopleOf(ctx.db, people, (person) => person.user_id);
  const steps = new Map(found.map((row) => [Math.max(0, row.step), row]));
  return {
    points: Array.from({ length: points }, (_, index) => {
      const { kernels = 0, memory = 0, cpu = 0 } = steps.get(index) ?? {};
      const at = new Date(began + index * stepMs).toISOString();
      return { at, kernels, memory_bytes: memory, cores: Math.round((cpu / stepMs) * 100) / 100 };
    }),
    people: people.map(({ user_id: id, memory_peak, cpu_seconds }) => ({
      id,
      person: named.get(id) ?? null,
      memory_peak,
      cpu_seconds,
    })),
  };
}
