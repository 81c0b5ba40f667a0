import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiPrefix } from '@atoll/contract';
import { inArray, sql } from 'drizzle-orm';
import { type App, createApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { tellLater } from '../apps/server/src/features/notifications/service/fan-out.ts';
import { accessOf, allGranted, callerGrants } from '../apps/server/src/features/projects/service/access.ts';
import { listProjects } from '../apps/server/src/features/projects/service/list.ts';
import { projects as projectsTable } from '../apps/server/src/features/projects/table.ts';
import { openSession } from '../apps/server/src/features/sessions/service.ts';
import { findUser } from '../apps/server/src/features/users/service.ts';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { startPostgres } from '../apps/server/src/test/postgres-server.ts';
import { fill } from './projects.ts';
import type { Result } from './report.ts';

const rounds = 60;
/** The first reads come from the disk. */
const warmUp = 10;
const size = { projects: 1_000_000, users: 50_000 };
const teams = 200;
const followers = 10_000;
const uuid = (kind: string, number: string) =>
  `('00000000-0000-7000-${kind}-' || lpad((${number})::text, 12, '0'))::uuid`;
const me = '00000000-0000-7000-8000-000000000001';

const p95 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

async function timed(work: () => Promise<unknown>, times = rounds): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < warmUp; round++) await work();
  for (let round = 0; round < times; round++) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  return p95(taken);
}

/** What teams, followers and the home page cost, with a million projects on PostgreSQL. */
export async function people(): Promise<Result[]> {
  const server = await startPostgres(['shared_buffers=2GB']);
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  try {
    const database = await openDatabase({ url: server.urlOf('postgres'), dataFolder: folder });
    await fill(database.db, size);
    await fillTeams(database.db);
    const config = readConfig({ ATOLL_DATA: folder, ATOLL_LOG_LEVEL: 'error', ATOLL_SECRET_KEYS: '0'.repeat(64) });
    const app = await createApp({ config, database, log: createLog(config.log), webFolder: null });
    await app.start();
    try {
      return [...(await checks(app)), ...(await home(app)), await fanOut(app)];
    } finally {
      await app.stop();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checks(app: App): Promise<Result[]> {
  const system = app.system();
  const actor = { ...system.actor, kind: 'user' as const, userId: me };
  const ctx = { ...system, actor };
  const list = { page: 1, page_size: 100, sort_by: 'updated_at', sort_direction: 'desc', mode: 'shared' } as const;
  const { entries } = await listProjects(ctx, list);
  const ids = entries.map(({ project }) => project.id);
  const these = inArray(projectsTable.id, ids);
  const bare = await timed(() => ctx.db.select().from(projectsTable).where(these));
  const checked = await timed(async () => {
    const rows = await ctx.db
      .select({ project: projectsTable, grants: callerGrants(actor) })
      .from(projectsTable)
      .where(these);
    const allowed = rows.filter((row) =>
      accessOf(actor, row.project, allGranted(row.grants)).abilities.includes('view'),
    );
    if (allowed.length !== 100) throw new Error(`Of 100 projects ${allowed.length} were allowed`);
  });
  return [
    {
      name: `permissions on 100 projects for somebody in ${teams} teams, p95`,
      value: checked,
      unit: 'ms',
      peer: { name: 'the same rows without', value: bare },
      limit: { of: 'value', max: 10 },
    },
    {
      name: `list: shared through ${teams} teams, p95 with ${size.projects.toLocaleString('en')} projects`,
      value: await timed(() => listProjects(ctx, list)),
      unit: 'ms',
      limit: { of: 'value', max: 50 },
    },
  ];
}

async function tokenOf(app: App, userId: string): Promise<string> {
  const ctx = app.system();
  const user = await findUser(ctx.db, userId);
  if (!user) throw new Error('There is nobody to measure with');
  const { token } = await ctx.write((write) => openSession(ctx, write, user, { method: 'bench', isProof: true }));
  return token;
}

const dashboard = [
  '/v1/notebooks?mode=my&page=1&page_size=6',
  '/v1/notebooks?mode=community&sort_by=created_at&sort_direction=desc&page=1&page_size=5',
  '/v1/notifications?page=1&page_size=10',
  '/v1/teams?mode=my&page=0&page_size=1',
  '/v1/me/quota',
  '/v1/my_servers?page=1&page_size=10',
  '/v1/tips',
];

async function home(app: App): Promise<Result[]> {
  const token = await tokenOf(app, me);
  const get = async (path: string) => {
    const { statusCode } = await app.http.inject({
      url: apiPrefix + path,
      headers: { authorization: `Bearer ${token}` },
    });
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  };
  return [
    {
      name: `all data of /dashboard at once, p95 with ${size.projects.toLocaleString('en')} projects`,
      value: await timed(() => Promise.all(dashboard.map(get))),
      unit: 'ms',
      limit: { of: 'value', max: 100 },
    },
  ];
}

async function fanOut(app: App): Promise<Result> {
  const token = await tokenOf(app, me);
  const request = () =>
    app.http.inject({ url: `${apiPrefix}/v1/me/quota`, headers: { authorization: `Bearer ${token}` } });
  const idle = await timed(request);
  const ctx = app.system();
  const news = { type: 'followed_published' as const, actorId: me, key: 'bench' };
  await ctx.write((write) => tellLater(ctx, write, { of: 'followers', id: me, news }));
  const done = app.jobs.settled();
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  const taken: number[] = [];
  while (!isDone) {
    const began = performance.now();
    await request();
    taken.push(performance.now() - began);
  }
  await done;
  return {
    name: `a request while ${followers.toLocaleString('en')} followers are told, p95`,
    value: p95(taken),
    unit: 'ms',
    peer: { name: 'one at rest', value: idle },
    limit: { of: 'ratio', max: 5 },
  };
}

type Db = Awaited<ReturnType<typeof openDatabase>>['db'];

/** Somebody in 200 teams of 50, with 20 projects each; and 10,000 who follow them. */
async function fillTeams(db: Db): Promise<void> {
  for (const statement of [
    `insert into teams (id, name, created_at, updated_at) select ${uuid('8004', 'n')}, 'team ' || n, now(), now() from generate_series(1, ${teams}) n`,
    `insert into team_members (team_id, user_id, role, created_at) select ${uuid('8004', 't')}, ${uuid('8000', '1 + (t * 50 + n) * (n > 0)::int')}, case when n = 0 then 'member' when n = 1 then 'owner' else 'member' end, now() from generate_series(1, ${teams}) t, generate_series(0, 49) n`,
    `insert into project_grants (id, project_id, team_id, permissions, created_at) select ${uuid('8005', 't * 1000 + n')}, ${uuid('8001', 't * 500 + n')}, ${uuid('8004', 't')}, '["view","view_source","edit"]', now() from generate_series(1, ${teams}) t, generate_series(1, 20) n`,
    `insert into user_follows (follower_id, followee_id, created_at) select ${uuid('8000', 'n + 1')}, '${me}', now() from generate_series(1, ${followers}) n`,
    'vacuum analyze',
  ])
    await db.execute(sql.raw(statement));
}
