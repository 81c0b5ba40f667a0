import { setTimeout } from 'node:timers/promises';
import { apiPrefix } from '@atoll/contract';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { App } from '../apps/server/src/app.ts';
import { notifyLater, notifyManyJob } from '../apps/server/src/features/notifications/service/fan-out.ts';
import { notifications } from '../apps/server/src/features/notifications/table.ts';
import { listProjects } from '../apps/server/src/features/projects/service/list.ts';
import { whoMay } from '../apps/server/src/features/projects/service/who-may.ts';
import { projects as projectsTable } from '../apps/server/src/features/projects/table.ts';
import { openSession } from '../apps/server/src/features/sessions/service.ts';
import { findUser } from '../apps/server/src/features/users/service.ts';
import type { Database } from '../apps/server/src/platform/db/database.ts';
import { jobsTable } from '../apps/server/src/platform/jobs/table.ts';
import { fill } from './projects.ts';
import { p95, type Result } from './report.ts';
import { filled, withApp, withPostgres } from './set-up.ts';

/** Enough that the slowest twentieth is more than a hiccup of the machine. */
const rounds = 200;
/** The first reads come from the disk, and through code nothing has compiled yet. */
const warmUp = 30;
const size = { projects: 1_000_000, users: 50_000 };
const teams = 200;
const followers = 10_000;
const uuid = (kind: string, number: string) =>
  `('00000000-0000-7000-${kind}-' || lpad((${number})::text, 12, '0'))::uuid`;
const me = '00000000-0000-7000-8000-000000000001';

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
export const people = (): Promise<Result[]> =>
  withPostgres(['shared_buffers=2GB'], async (urlOf) => {
    await filled(urlOf('postgres'), async (db) => {
      await fill(db, size);
      await fillTeams(db);
    });
    return withApp(urlOf('postgres'), async (app) => [...(await checks(app)), ...(await home(app)), await fanOut(app)]);
  });

async function checks(app: App): Promise<Result[]> {
  const ctx = app.system().as({ kind: 'user', userId: me, isAdmin: false });
  const list = { page: 1, page_size: 100, sort_by: 'updated_at', sort_direction: 'desc', mode: 'shared' } as const;
  const { entries } = await listProjects(ctx, list);
  const ids = entries.map(({ project }) => project.id);
  const bare = await timed(() => ctx.db.select().from(projectsTable).where(inArray(projectsTable.id, ids)));
  const checked = await timed(async () => {
    const allowed = await whoMay(ctx.db, [ctx.actor], ids, 'edit');
    if (allowed.length !== 100) throw new Error(`Of 100 projects ${allowed.length} were allowed`);
  });
  return [
    {
      name: `permissions on 100 projects for somebody in ${teams} teams, p95`,
      value: checked,
      unit: 'ms',
      peer: { name: 'loading them without', value: bare },
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
  '/v1/notebooks?mode=shared&page=1&page_size=6',
  '/v1/notebooks?mode=community&sort_by=created_at&sort_direction=desc&page=1&page_size=5',
  '/v1/notifications?page=1&page_size=10',
  '/v1/teams?mode=my&page=0&page_size=1',
  '/v1/me/quota',
  '/v1/my_servers?page=1&page_size=10',
  '/v1/tips',
];

async function get(app: App, token: string, path: string): Promise<void> {
  const { statusCode } = await app.http.inject({
    url: apiPrefix + path,
    headers: { authorization: `Bearer ${token}` },
  });
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
}

async function home(app: App): Promise<Result[]> {
  const token = await tokenOf(app, me);
  return [
    {
      name: `all data of /dashboard at once, p95 with ${size.projects.toLocaleString('en')} projects`,
      value: await timed(() => Promise.all(dashboard.map((path) => get(app, token, path)))),
      unit: 'ms',
      limit: { of: 'value', max: 100 },
    },
  ];
}

/** Requests that are due every 10 ms, whatever became of the last: one that had to wait for its turn was slow. */
async function steadyRequests(app: App, token: string, isOver: (sent: number) => boolean): Promise<number[]> {
  const taken: Promise<number>[] = [];
  const began = performance.now();
  while (!isOver(taken.length)) {
    const due = began + taken.length * 10;
    const wait = due - performance.now();
    if (wait > 0) await setTimeout(wait);
    taken.push(get(app, token, '/v1/me/quota').then(() => performance.now() - due));
  }
  return Promise.all(taken);
}

/** Before, beside and after: the machine may have got slower or faster meanwhile. */
async function fanOut(app: App): Promise<Result> {
  const token = await tokenOf(app, me);
  const alone = () => steadyRequests(app, token, (sent) => sent >= 400);
  await alone();
  const before = await alone();
  const ctx = app.system();
  const news = { type: 'followed_published' as const, actorId: me, key: `bench ${Date.now()}` };
  await ctx.write((write) => notifyLater(write, { of: 'followers', id: me, news }));
  app.jobs.nudge();
  let isDone = false;
  const done = (async () => {
    // Rows of ended jobs stay, and others wait for their time.
    const isLeft = and(eq(jobsTable.kind, notifyManyJob.kind), isNull(jobsTable.endedAt));
    while ((await ctx.db.$count(jobsTable, isLeft)) > 0) await setTimeout(100);
    isDone = true;
  })();
  const beside = await steadyRequests(app, token, () => isDone);
  await done;
  const after = await alone();
  const told = await ctx.db.$count(notifications, eq(notifications.eventKey, news.key));
  if (told !== followers) throw new Error(`Of ${followers} followers ${told} were told`);
  return {
    name: `a request while ${followers.toLocaleString('en')} followers are told (in ${(beside.length / 100).toFixed(0)} s), p95`,
    value: p95(beside),
    unit: 'ms',
    peer: { name: 'without', value: p95([...before, ...after]) },
    limit: { of: 'ratio', max: 1.2 },
  };
}

/** Somebody in 200 teams of 50, with 20 projects each, who was told of 500 things; and 10,000 who follow them. */
async function fillTeams(db: Database): Promise<void> {
  for (const statement of [
    `insert into teams (id, name, created_at, updated_at) select ${uuid('8004', 'n')}, 'team ' || n, now(), now() from generate_series(1, ${teams}) n`,
    `insert into team_members (team_id, user_id, role, created_at) select ${uuid('8004', 't')}, ${uuid('8000', '1 + (t * 50 + n) * (n > 0)::int')}, case when n = 0 then 'member' when n = 1 then 'owner' else 'member' end, now() from generate_series(1, ${teams}) t, generate_series(0, 49) n`,
    `insert into project_grants (id, project_id, team_id, permissions, created_at) select ${uuid('8005', 't * 1000 + n')}, ${uuid('8001', 't * 500 + n')}, ${uuid('8004', 't')}, '["view","view_source","edit"]', now() from generate_series(1, ${teams}) t, generate_series(1, 20) n`,
    `insert into user_follows (follower_id, followee_id, created_at) select ${uuid('8000', 'n + 1')}, '${me}', now() from generate_series(1, ${followers}) n`,
    `insert into notifications (id, user_id, type, actor_id, project_id, event_key, created_at, mailed_at, read_at) select ${uuid('8006', 'n')}, '${me}', 'project_shared', ${uuid('8000', 'n + 1')}, ${uuid('8001', 'n * 10')}, 'told ' || n, now() - n * interval '1 hour', now(), case when n > 40 then now() end from generate_series(1, 500) n`,
    'vacuum analyze',
    // What was filled in is written now, and not while something is measured.
    'checkpoint',
  ])
    await db.execute(sql.raw(statement));
}
