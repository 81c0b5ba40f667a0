import type { ProjectListQuery } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { listProjects } from '../apps/server/src/features/projects/service/list.ts';
import type { Database } from '../apps/server/src/platform/db/database.ts';
import { p95, type Result } from './report.ts';
import { filled, withApp, withPool, withPostgres } from './set-up.ts';

const rounds = 60;
const sizes = [
  { projects: 10_000, users: 500 },
  { projects: 1_000_000, users: 50_000 },
];

const queries: Record<string, Partial<ProjectListQuery>> = {
  my: { mode: 'my' },
  shared: { mode: 'shared' },
  community: { mode: 'community' },
  all: { mode: 'all' },
  'search, frequent words': { mode: 'community', search: 'forecast harbour' },
  'search, rare word': { mode: 'community', search: '9990' },
  'search with typos': { mode: 'community', search: 'forcast harbor' },
  'search in all': { mode: 'all', search: 'portfolio risk' },
  'deep filter': { mode: 'community', tags: ['tag-12'], type: ['bi'], sort_by: 'views' },
  'deep filter without a match': { mode: 'community', tags: ['tag-7'], type: ['canvas'], sort_by: 'views' },
};

/** The list of projects at two sizes on PostgreSQL: what a page costs, and whether it grows with the table. */
export async function projects(): Promise<Result[]> {
  // As anybody would set it who keeps a million projects; the default is for a machine of 1 GB.
  const results: Result[] = [];
  const small: Record<string, number> = {};
  return withPostgres(['shared_buffers=2GB'], async (urlOf) => {
    for (const size of sizes) {
      const name = `bench_${size.projects}`;
      await withPool(urlOf('postgres'), 1, (pool) => pool.query(`create database ${name}`));
      await filled(urlOf(name), (db) => fill(db, size));
      await withApp(urlOf(name), async (app) => {
        const userId = '00000000-0000-7000-8000-000000000001';
        const ctx = app.system().as({ kind: 'user', userId, isAdmin: false });
        for (const [query, fields] of Object.entries(queries)) {
          const times: number[] = [];
          for (let round = 0; round < rounds; round++) {
            const began = performance.now();
            await listProjects(ctx, {
              page: 1,
              page_size: 100,
              sort_by: 'updated_at',
              sort_direction: 'desc',
              mode: 'my',
              ...fields,
            });
            times.push(performance.now() - began);
          }
          const taken = p95(times);
          if (size === sizes[0]) small[query] = taken;
          else {
            results.push({
              name: `list: ${query}, p95 with ${size.projects.toLocaleString('en')} projects`,
              value: taken,
              unit: 'ms',
              peer: { name: `${sizes[0]?.projects.toLocaleString('en')} projects`, value: small[query] ?? 0 },
              limit: { of: 'value', max: 50 },
            });
          }
        }
      });
    }
    return results;
  });
}

/** Rows as people would have made them: a few words, a tenth of it public, some of it shared and tagged. */
export async function fill(
  db: Database,
  { projects: count, users }: { projects: number; users: number },
): Promise<void> {
  const uuid = (kind: string, number: string) =>
    `('00000000-0000-7000-${kind}-' || lpad((${number})::text, 12, '0'))::uuid`;
  const words =
    "(array['tide','harbour','forecast','portfolio','rain','energy','price','demand','network','atlas','signal','survey','model','island','market','risk'])";
  await db.execute(
    sql.raw(
      `insert into users (id, user_name, created_at, active_at) select ${uuid('8000', 'n')}, 'user_' || n, now(), now() from generate_series(1, ${users}) n`,
    ),
  );
  await db.execute(
    sql.raw(`insert into tags (id, name) select ${uuid('8002', 'n')}, 'tag-' || n from generate_series(1, 200) n`),
  );
  await db.execute(
    sql.raw(`insert into projects (id, name, description, kind, visibility, owner_id, creator_id, created_at, updated_at, owned_at, view_count, search_text, tag_facets)
      select ${uuid('8001', 'n')}, t.name, t.description, (array['notebook','canvas','strategy','bi'])[1 + n % 4],
        case when n % 10 = 0 then 'public' when n % 10 = 1 then 'open' else 'private' end,
        ${uuid('8000', `1 + n % ${users}`)}, ${uuid('8000', `1 + n % ${users}`)},
        now() - n * interval '1 second', now() - (n::bigint * 7919 % ${count}) * interval '1 second', now(), n % 1000, t.name || ' ' || t.description, array['tag:tag-' || 1 + n % 200]
      from generate_series(1, ${count}) n, lateral (select
        ${words}[1 + (n * 31) % 16] || ' ' || ${words}[1 + (n * 17) % 16] || ' ' || n as name,
        ${words}[1 + (n * 7) % 16] || ' of ' || ${words}[1 + (n / 16) % 16] as description) t`),
  );
  await db.execute(
    sql.raw(
      `insert into project_tags select ${uuid('8001', 'n')}, ${uuid('8002', '1 + n % 200')} from generate_series(1, ${count}) n`,
    ),
  );
  await db.execute(
    sql.raw(
      `insert into project_grants (id, project_id, user_id, permissions, created_at) select ${uuid('8003', 'n')}, ${uuid('8001', 'n * 5')}, ${uuid('8000', `1 + (n * 13) % ${users}`)}, '["view"]', now() from generate_series(1, ${count} / 5) n on conflict do nothing`,
    ),
  );
  await db.execute(
    sql`insert into search_words select distinct unnest(tsvector_to_array(to_tsvector('simple', search_text))) from projects`,
  );
  await db.execute(sql`vacuum analyze`);
  await db.execute(sql`checkpoint`);
}
