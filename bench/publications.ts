import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicationListQuery } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { listPublications } from '../apps/server/src/features/publications/service/list.ts';
import type { Database } from '../apps/server/src/platform/db/database.ts';
import { notebook, text } from '../e2e/notebook-page.ts';
import { startServer } from '../e2e/server.ts';
import { buildWeb } from '../scripts/build-web.ts';
import { firstView, publishOne } from './publications-first-view.ts';
import { median, p95, type Result } from './report.ts';
import { filled, withApp, withPool, withPostgres } from './set-up.ts';

export const publications = async (): Promise<Result[]> => [
  ...(await firstView()),
  ...(await gallery()),
  ...(await readers()),
];

const rounds = 60;
const sizes = [1_000, 100_000];

const queries: Record<string, Partial<PublicationListQuery>> = {
  newest: {},
  'by views': { sort_by: 'view_count' },
  'one category': { category: ['finance'] },
  'search, frequent word': { search: 'harbour' },
  'search, word of one publication': { search: 'pelagic' },
  'search in a category': { search: 'tide', category: ['research'] },
  'a tag': { tags: ['tag-12'] },
};

/** The gallery at two sizes on PostgreSQL. */
async function gallery(): Promise<Result[]> {
  const results: Result[] = [];
  const small: Record<string, number> = {};
  return withPostgres([], async (urlOf) => {
    for (const size of sizes) {
      const name = `bench_${size}`;
      await withPool(urlOf('postgres'), 1, (pool) => pool.query(`create database ${name}`));
      await filled(urlOf(name), (db) => fill(db, size));
      await withApp(urlOf(name), async (app) => {
        for (const [query, fields] of Object.entries(queries)) {
          const times: number[] = [];
          for (let round = 0; round < rounds; round++) {
            const began = performance.now();
            await listPublications(app.system(), {
              page: 0,
              page_size: 30,
              sort_by: 'published_at',
              sort_direction: 'desc',
              ...fields,
            });
            times.push(performance.now() - began);
          }
          const taken = p95(times);
          if (size === sizes[0]) small[query] = taken;
          else
            results.push({
              name: `gallery: ${query}, p95 with ${size.toLocaleString('en')} publications`,
              value: taken,
              unit: 'ms',
              peer: { name: `${sizes[0]?.toLocaleString('en')} publications`, value: small[query] ?? 0 },
              limit: { of: 'ratio', max: 1.2 },
            });
        }
      });
    }
    return results;
  });
}

async function fill(db: Database, count: number): Promise<void> {
  const uuid = (kind: string, number: string) =>
    `('00000000-0000-7000-${kind}-' || lpad((${number})::text, 12, '0'))::uuid`;
  const words = "(array['tide','harbour','forecast','portfolio','rain','energy','price','demand'])";
  const users = 200;
  for (const statement of [
    `insert into users (id, user_name, created_at, active_at) select ${uuid('8000', 'n')}, 'user_' || n, now(), now() from generate_series(1, ${users}) n`,
    `insert into projects (id, name, owner_id, created_at, updated_at, owned_at) select ${uuid('8001', 'n')}, 'Project ' || n, ${uuid('8000', `1 + n % ${users}`)}, now(), now(), now() from generate_series(1, ${count}) n`,
    `insert into publications (id, project_id, content_kind, type, category, access_level, slug, title, description, payload, version_id, version_number, view_count, tag_names, created_at, updated_at, published_at)
      select ${uuid('8002', 'n')}, ${uuid('8001', 'n')}, 'notebooks', 'article', (array['finance','research','education','other'])[1 + n % 4], 'public', 'publication-' || n,
        ${words}[1 + n % 8] || ' ' || n || case when n = 500 then ' pelagic' else '' end, ${words}[1 + (n / 8) % 8] || ' of the year', '{"shows_code":true,"hidden_cell_ids":[]}', ${uuid('8003', 'n')}, 1, (n * 7919) % 10000, array['tag-' || 1 + n % 30],
        now(), now(), now() - n * interval '1 second' from generate_series(1, ${count}) n`,
    'vacuum analyze',
  ])
    await db.execute(sql.raw(statement));
}

const concurrency = 500;
const requestsPerRound = 3_000;

/** One page for 500 readers at once, beside a static file of the same size; turn about. */
async function readers(): Promise<Result[]> {
  await buildWeb();
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const still = fork(join(import.meta.dirname, 'static-server.ts'), [folder]);
  const port = once(still, 'message') as Promise<[number]>;
  try {
    const cells = Array.from({ length: 50 }, (_, index) =>
      text(`## Part ${index}\n\n${'Some words. '.repeat(60)}`, `c${index}`),
    );
    const address = `${server.url}${await publishOne(server.url, notebook(...cells))}`;
    writeFileSync(join(folder, 'page.html'), await (await fetch(address)).text());
    const beside = `http://localhost:${(await port)[0]}/page.html`;
    const times: Record<'ours' | 'still', number[]> = { ours: [], still: [] };
    // The first round warms both up and does not count.
    for (let round = 0; round <= 5; round++) {
      const [ours, file] = [await perRequest(address), await perRequest(beside)];
      if (round === 0) continue;
      times.ours.push(ours);
      times.still.push(file);
    }
    return [
      {
        name: `one article for ${concurrency} readers at once`,
        value: median(times.ours),
        unit: 'ms a request',
        peer: { name: 'a static file of the same size', value: median(times.still) },
        // At least half the rate.
        limit: { of: 'ratio', max: 2 },
      },
    ];
  } finally {
    still.kill();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function perRequest(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let left = requestsPerRound;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await read(url, agent);
    }),
  );
  const elapsed = performance.now() - began;
  agent.destroy();
  return elapsed / requestsPerRound;
}

const read = (url: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))));
    }).on('error', reject);
  });
