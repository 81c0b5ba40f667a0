import { apiPrefix } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { Pool } from 'pg';
import type { App } from '../apps/server/src/app.ts';
import { countFigures } from '../apps/server/src/features/admin/service/figures.ts';
import { openSession } from '../apps/server/src/features/sessions/service.ts';
import { findUser } from '../apps/server/src/features/users/service.ts';
import { p95, type Result } from './report.ts';
import { withApp, withPool, withPostgres } from './set-up.ts';

const sizes = { small: 10_000, large: 1_000_000 };
const eventsEach = 10;
const rounds = 60;
const warmUp = 10;
const uuid = (kind: string, number: string) =>
  `('00000000-0000-7000-${kind}-' || lpad((${number})::text, 12, '0'))::uuid`;
const adminId = '00000000-0000-7000-8000-000000000001';

/** What admins open; the requests of one page are measured together. */
const pages: Record<string, string[]> = {
  overview: ['overview'],
  'users, newest': ['users'],
  'users, by balance': ['users?sort=balance'],
  'users, page 400': ['users?page=400'],
  'users, found by name': ['users?search=c4414e538a5475ec'],
  'users, found by part of a name': ['users?search=kowalski'],
  'users, suspended': ['users?state=suspended'],
  'users, of a plan': ['users?plan=Pro'],
  'users, with a role': [`users?role_id=${'00000000-0000-7000-8009-000000000001'}`],
  subscriptions: ['subscriptions'],
  'subscriptions, found by name': ['subscriptions?search=c4414e538a5475ec'],
  tracking: ['tracking'],
  'tracking, one event': ['tracking?name=page.viewed'],
  'tracking, one person': ['tracking?user_id=00000000-0000-7000-8000-000000000500'],
  'funnel of three events': ['tracking/funnel?step_1=sign_up.started&step_2=page.viewed&step_3=cell.run'],
  'action log': ['action_logs'],
  'action log, of one person': ['action_logs?subject_id=00000000-0000-7000-8000-000000000500'],
  features: ['features'],
  roles: ['roles'],
  kernels: ['kernels'],
  'usage, by person and by day': ['usages', 'usages?group=day'],
};

/** Lists and charts of the admin area with a million users and ten million events, beside ten thousand users. */
export const admin = (): Promise<Result[]> =>
  withPostgres(['shared_buffers=2GB', 'max_wal_size=8GB', 'maintenance_work_mem=1GB'], async (urlOf) => {
    for (const [name, users] of Object.entries(sizes)) await fill(urlOf('postgres'), urlOf(name), users);
    return compare(urlOf);
  });

/** In turns, so that what else the machine does meets both. */
const compare = (urlOf: (database: string) => string): Promise<Result[]> =>
  quiet(urlOf('small'), (small) =>
    quiet(urlOf('large'), async (large) => {
      const [smallToken, largeToken] = [await tokenOf(small), await tokenOf(large)];
      const results: Result[] = [];
      for (const [name, paths] of Object.entries(pages)) {
        const [smallTimes, largeTimes]: [number[], number[]] = [[], []];
        for (let round = -warmUp; round < rounds; round++) {
          for (const [app, token, times] of [
            [small, smallToken, smallTimes],
            [large, largeToken, largeTimes],
          ] as const) {
            const began = performance.now();
            await Promise.all(paths.map((path) => get(app, token, path)));
            if (round >= 0) times.push(performance.now() - began);
          }
        }
        results.push({
          name: `admin ${name}, p95 with ${sizes.large.toLocaleString('en')} users`,
          value: p95(largeTimes),
          unit: 'ms',
          peer: { name: `${sizes.small.toLocaleString('en')} users`, value: p95(smallTimes) },
          limit: { of: 'ratio', max: 3 },
        });
      }
      return results;
    }),
  );

const quiet = <Answer>(url: string, work: (app: App) => Promise<Answer>): Promise<Answer> =>
  withApp(url, work, { hasSchedules: false });

async function tokenOf(app: App): Promise<string> {
  const ctx = app.system();
  const user = await findUser(ctx.db, adminId);
  if (!user) throw new Error('There is no admin');
  const { token } = await ctx.write((write) => openSession(ctx, write, user, { method: 'bench', isProof: true }));
  return token;
}

async function get(app: App, token: string, path: string): Promise<void> {
  const response = await app.http.inject({
    url: `${apiPrefix}/v1/admin/${path}`,
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${response.body}`);
}

/** Without checks and indexes, which are made at the end: one by one they would take an hour. */
export async function fill(adminUrl: string, url: string, users: number): Promise<void> {
  const admin = new Pool({ connectionString: adminUrl });
  await admin.query(`create database ${new URL(url).pathname.slice(1)}`);
  await admin.end();
  const filled = ['users', 'tracked_events', 'kernel_sessions', 'action_logs', 'subscriptions', 'user_roles', 'roles'];
  await withApp(url, async (app) => {
    const { db } = app.system();
    await db.transaction(async (tx) => {
      const run = (statement: string) => tx.execute(sql.raw(statement));
      await run('set transaction read write');
      await run('set local statement_timeout = 0');
      await run('set local session_replication_role = replica');
      const { rows: indexes } = (await run(
        `select indexname as name, indexdef as definition from pg_indexes
          where tablename in (${filled.map((name) => `'${name}'`)}) and indexname !~ '_pk(ey)?$'`,
      )) as unknown as { rows: { name: string; definition: string }[] };
      for (const { name } of indexes) await run(`drop index ${name}`);
      for (const statement of rowsFor(users)) await run(statement);
      for (const { definition } of indexes) await run(definition);
    });
    const began = performance.now();
    await countFigures(app.system());
    console.log(`  counted in ${Math.round(performance.now() - began)} ms`);
    await withPool(url, 1, async (pool) => {
      await pool.query('vacuum analyze');
      await pool.query('checkpoint');
    });
  });
}

/** As an installation would have them: everything grows with the people; all events are of the last 30 days. */
function rowsFor(users: number): string[] {
  const month = 30 * 24 * 60 * 60;
  const person = (n: string) => uuid('8000', `1 + (${n})::bigint * 7919 % ${users}`);
  const ago = (n: string, of: number) => `now() - interval '1 second' * (${month}::float8 * (${of} - ${n}) / ${of})`;
  const events = users * eventsEach;
  return [
    `insert into users (id, user_name, email, first_name, last_name, role, is_guest, suspended_at, plan, balance, created_at, active_at)
      select ${uuid('8000', 'n')}, left(md5(n::text), 16), left(md5(n::text), 16) || '@example.org',
        (array['Ada','Grace','Alan','Edsger','Barbara','Donald','Leslie','Radia'])[1 + n % 8],
        case when n % 2000 = 0 then 'Kowalski' else 'Person ' || n end,
        case when n = 1 then 'admin' else 'user' end, n % 50 = 7, case when n % 1000 = 5 then now() end,
        case when n % 20 = 0 then 'Pro' else 'Free' end, n::bigint * 31 % 1000,
        now() - interval '400 days' * (1 - n::float8 / ${users}), now() - interval '30 days' * (n::bigint * 31 % ${users})::float8 / ${users}
      from generate_series(1, ${users}) n`,
    `insert into roles (id, name, created_at) select ${uuid('8009', 'n')}, 'role ' || n, now() from generate_series(1, 5) n`,
    `insert into user_roles (user_id, role_id) select ${uuid('8000', 'n')}, ${uuid('8009', '1 + n / 100 % 5')} from generate_series(100, ${users}, 100) n`,
    `insert into tracked_events (id, user_id, name, properties, happened_at, created_at)
      select ${uuid('8007', 'n')}, ${person('n')},
        (array['page.viewed','page.viewed','page.viewed','page.viewed','cell.run','file.saved','project.created','publication.viewed','sign_up.started','sign_up.done'])[1 + n % 10],
        '{"to":"/dashboard"}', ${ago('n', events)}, ${ago('n', events)}
      from generate_series(1, ${events}) n`,
    `insert into kernel_sessions (id, user_id, kernel, tier, purpose, saves_files, state, server_id, host_id, executions_count, used_ms, started_at, active_at, heartbeat_at, ended_at)
      select ${uuid('800a', 'n')}, ${person('n')}, 'python.python3', 'l1', 'notebook', true, 'ended', ${uuid('800b', '1')}, ${uuid('800b', '1')}, n % 40, n % 100000,
        ${ago('n', users / 10)}, now(), now(), now() from generate_series(1, ${users / 10}) n`,
    `insert into action_logs (id, action, actor_id, subject_type, subject_id, created_at)
      select ${uuid('800c', 'n')}, 'user.updated', '${adminId}', 'user', ${person('n')}::text, ${ago('n', users / 10)} from generate_series(1, ${users / 10}) n`,
    `insert into subscriptions (id, user_id, rate_plan_id, period, anchor_at, period_started_at, next_billing_at, paid, created_at)
      select ${uuid('800d', 'n')}, ${uuid('8000', 'n')}, (select id from rate_plans where name = 'Pro'), 'monthly', now(), now(), now() + interval '1 second' * n, 10, now()
      from generate_series(20, ${users}, 20) n`,
  ];
}
