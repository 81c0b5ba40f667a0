import type { Comment, Notification, TeamDetail } from '@atoll/contract';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { eventsTable } from '../../platform/events/table.ts';
import { jobsTable } from '../../platform/jobs/table.ts';
import { createSharedApp, type TestApp } from '../../test/test-app.ts';
import { notifyLater } from '../notifications/service/fan-out.ts';
import { teamNotifications } from '../notifications/table.ts';
import { users } from '../users/table.ts';

type Person = Awaited<ReturnType<TestApp['person']>>;
type List<Entry> = { entries: Entry[]; total: number };

const app = await createSharedApp();

const newsOf = async ({ token }: Person) => {
  await app.settled();
  return app.notifications(token);
};

test('names nobody could tell apart, or see, are refused', async () => {
  const { token } = await app.person();
  const make = async (name: string) => (await app.call('POST', '/v1/teams', { token, body: { name } })).status;
  const hidden = [
    'Ti\u200Dde',
    'Tide \u200C',
    '\u3164\u3164',
    '\u2800\u2800',
    'Tide\u2028s',
    'Ti\u{E0061}de',
    'Ti\u034Fde',
  ];
  for (const name of hidden) expect(await make(name), JSON.stringify(name)).toBe(422);
  // Written with joiners, and read with them.
  for (const name of ['👩‍🔬 lab', 'می‌خواهم', 'क्‍ष', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 readers']) expect(await make(name), name).toBe(200);
});

test('an emoji where the excerpt of a comment ends is told whole or not at all', async () => {
  const [ada, bob] = [await app.person(), await app.person()];
  const project = await app.project(ada.token, { visibility: 'public', hides_source: true });
  for (const length of [158, 159, 160]) {
    const content = `${'x'.repeat(length)}🌊🌊`;
    const path = `/v1/notebooks/${project.id}/comments`;
    expect((await app.call('POST', path, { token: bob.token, body: { content } })).status).toBe(200);
  }
  const told = (await newsOf(ada)).filter(({ type }) => type === 'comment_created');
  expect(told).toHaveLength(3);
  for (const { metadata } of told) expect(metadata.excerpt?.isWellFormed()).toBe(true);
});

/** Every column of every table that could hold this id, and does. */
async function placesOf(id: string): Promise<string[]> {
  const { db } = app.database;
  const columns = (await db.execute(sql`select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type = 'uuid'`)) as unknown as {
    rows: { table_name: string; column_name: string }[];
  };
  const found: string[] = [];
  for (const { table_name, column_name } of columns.rows) {
    const { rows } = (await db.execute(
      sql`select 1 from ${sql.identifier(table_name)} where ${sql.identifier(column_name)} = ${id} limit 1`,
    )) as unknown as { rows: unknown[] };
    if (rows.length > 0) found.push(`${table_name}.${column_name}`);
  }
  return found.sort();
}

test('whoever goes leaves no right and no broken page behind, and others keep their work', async () => {
  const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
  for (const person of [ada, bob, eve]) await app.confirm(person.id);
  const call = <Body>(person: Person, method: string, path: string, body?: object) =>
    app.call<Body>(method, path, { token: person.token, body });
  const project = await app.project(ada.token, { create_main_file: true });
  const secret = await app.project(eve.token);
  const path = `/v1/notebooks/${project.id}`;
  const team = await call<TeamDetail>(bob, 'POST', '/v1/teams', { name: 'Leavers', discovery: 'public' });
  const teamPath = `/v1/teams/${team.body.id}`;
  const share = (to: Person) =>
    call(ada, 'POST', `${path}/user_permissions`, { user_id: to.id, permissions: ['edit', 'share'] });
  await share(bob);
  await share(eve);
  await call(bob, 'POST', `${path}/invites`, { email: 'later@example.org', permissions: ['view'] });
  await call(bob, 'POST', `/v1/projects/${secret.id}/access_requests`, { reason: 'Please' });
  await call(eve, 'POST', `${teamPath}/join_requests`, { reason: 'Me too' });
  const asked = await call<List<{ id: string }>>(bob, 'GET', `${teamPath}/join_requests`);
  await call(bob, 'POST', `${teamPath}/join_requests/${asked.body.entries[0]?.id}/approve`);
  await call(bob, 'POST', `${path}/team_permissions`, { team_id: team.body.id, permissions: ['view'] });
  const thread = await call<Comment>(bob, 'POST', `${path}/comments`, { content: `Hello @${ada.user_name}` });
  await call(eve, 'POST', `${path}/comments`, { content: `Hello @${bob.user_name}`, reply_to: thread.body.id });
  await call(bob, 'POST', `/v1/users/${ada.id}/follow`);
  await call(eve, 'POST', `/v1/users/${bob.id}/follow`);
  await app.settled();
  await app.database.db.delete(users).where(eq(users.id, bob.id));
  await app.settled();

  // What happened is kept as it happened.
  expect((await placesOf(bob.id)).filter((place) => !place.startsWith('events.'))).toEqual([]);
  expect((await call(bob, 'GET', path)).status).toBe(404);
  for (const person of [ada, eve])
    for (const page of [
      path,
      `${path}/comments`,
      `${path}/user_permissions`,
      `${path}/team_permissions`,
      `${path}/invites`,
      `${path}/activity`,
      `/v1/projects/${project.id}/access_requests`,
      '/v1/notifications',
      `/v1/users/${person.id}/follows`,
      ...(person === eve
        ? [
            teamPath,
            `${teamPath}/members`,
            `${teamPath}/notifications`,
            `${teamPath}/join_requests`,
            `/v1/projects/${secret.id}/access_requests`,
          ]
        : []),
    ])
      expect((await call(person, 'GET', page)).status, page).toBe(200);
  const comments = await call<List<Comment>>(ada, 'GET', `${path}/comments`);
  expect(comments.body.entries).toMatchObject([{ author: null, replies: [{ author: { id: eve.id } }] }]);
  expect((await call(eve, 'GET', teamPath)).body).toMatchObject({ membership_status: 'owner', users_count: 1 });

  await call(eve, 'DELETE', teamPath);
  await app.settled();
  expect((await placesOf(team.body.id)).filter((place) => !place.startsWith('events.'))).toEqual([]);
  expect((await call(ada, 'GET', path)).status).toBe(200);
});

test('what somebody did is told after their account went as well, or not at all, and fails nowhere', async () => {
  const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
  for (const person of [ada, bob, eve]) await app.confirm(person.id);
  const project = await app.project(ada.token, { visibility: 'public', hides_source: true });
  const post = <Body>(person: Person, path: string, body: object = {}) =>
    app.call<Body>('POST', path, { token: person.token, body });
  const team = await post<TeamDetail>(ada, '/v1/teams', { name: 'Remainers', discovery: 'open' });
  await post(eve, `/v1/users/${ada.id}/follow`);
  await post(bob, `/v1/users/${ada.id}/follow`);
  await post(bob, `/v1/notebooks/${project.id}/comments`, { content: `Hello @${eve.user_name}` });
  await post(bob, `/v1/projects/${project.id}/access_requests`);
  await post(ada, `/v1/notebooks/${project.id}/user_permissions`, { user_id: bob.id, permissions: ['view'] });
  await post(bob, `/v1/teams/${team.body.id}/join_requests`);
  await app.settled();
  const { db } = app.database;
  await db.delete(users).where(eq(users.id, bob.id));
  // As if none of it had been told before.
  await db.delete(teamNotifications);
  await db
    .update(eventsTable)
    .set({ dueAt: new Date(app.clock.time), deliveredAt: null })
    .where(sql`payload::text like ${`%${bob.id}%`} or actor_id = ${bob.id}`);
  const ctx = app.app.system();
  const news = { type: 'followed_published' as const, actorId: bob.id, key: 'gone' };
  await ctx.write((write) => notifyLater(write, { of: 'followers', id: ada.id, news }));
  await app.settled();
  expect(await db.select().from(eventsTable).where(isNotNull(eventsTable.lastError))).toEqual([]);
  expect(await db.select().from(jobsTable).where(isNotNull(jobsTable.reason))).toEqual([]);
  const feed = await app.get<List<Notification>>(ada.token, `/v1/teams/${team.body.id}/notifications`);
  expect(feed.body.entries).toMatchObject([{ type: 'team_joined', subject_user: null }]);
});
