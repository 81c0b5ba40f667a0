import {
  type ActionLog,
  type AdminFeature,
  type AdminJob,
  type AdminRole,
  type AdminUser,
  type AdminUserDetail,
  type CreditRequest,
  csvLists,
  type KernelHistory,
  type Overview,
  type Quota,
  type RatePlan,
  type Referral,
  type Run,
  type Session,
  topicName,
  topics,
  type UndeliveredMail,
} from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { eventsTable } from '../../platform/events/table.ts';
import { jobsTable } from '../../platform/jobs/table.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp, type TestApp, tokenIn } from '../../test/test-app.ts';
import { sampleKernels, sweepSamples } from '../kernels/service/samples.ts';
import { kernelSamples } from '../kernels/table.ts';
import { executionLimitSql } from '../quota/service/limits.ts';
import { sessions } from '../sessions/table.ts';
import { trackedDays } from '../tracking/table.ts';
import { users } from '../users/table.ts';
import { countFigures } from './service/figures.ts';

type List<Entry> = { entries: Entry[]; total: number; is_more?: boolean; next?: string | null };

let app: TestApp;
let admin: Session & { token: string };
beforeAll(async () => {
  app = await createTestApp({ keepOpen: true });
  admin = await app.admin();
});
afterAll(() => app.close());

const get = async <Body>(path: string, query: Record<string, string> = {}) => {
  const answer = await app.call<Body>('GET', `/v1/admin/${path}`, { token: admin.token, query });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Body;
};
const act = <Body = AdminUserDetail>(method: string, path: string, body: object = {}, token = admin.token) =>
  app.call<Body>(method, `/v1/admin/${path}`, { token, body });
const done = async <Body = AdminUserDetail>(method: string, path: string, body: object = {}) => {
  const answer = await act<Body>(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Body;
};
const logsOf = async (subjectId: string) =>
  (await get<List<ActionLog>>('action_logs', { subject_id: subjectId, page_size: '100' })).entries;

describe('accounts', () => {
  test('are found, filtered, sorted and paged; % is a letter like others', async () => {
    const tag = newId().slice(-8);
    for (const name of ['one', 'two', 'three']) await app.person(`${name}_${tag}`);
    const named = async (query: Record<string, string>) =>
      (await get<List<AdminUser>>('users', query)).entries.map(({ user_name }) => user_name);
    expect(await named({ search: tag, sort: 'user_name', direction: 'asc' })).toEqual([
      `one_${tag}`,
      `three_${tag}`,
      `two_${tag}`,
    ]);
    const first = await get<List<AdminUser>>('users', { search: tag, page_size: '2' });
    expect([first.entries.length, first.total, first.is_more]).toEqual([2, 3, false]);
    expect(await named({ search: tag, page_size: '2', page: '2' })).toHaveLength(1);
    expect(await named({ search: `two_${tag}@example.org` })).toEqual([`two_${tag}`]);
    expect(await named({ search: '%' })).toEqual([]);
    expect(await named({ search: `o_e_${tag}` })).toEqual([]);
    const [one] = (await get<List<AdminUser>>('users', { search: `one_${tag}` })).entries;
    expect(await named({ search: one?.id ?? '' })).toEqual([`one_${tag}`]);
    expect(await named({ search: tag, role: 'admin' })).toEqual([]);
    expect(await named({ search: tag, plan: 'Free' })).toHaveLength(3);
    expect(await named({ search: tag, state: 'suspended' })).toEqual([]);
    expect((await act('GET', 'users?sort=password_hash')).status).toBe(422);
  });

  test('are created by mail, changed with before and after in the log, and their features explained', async () => {
    const tag = newId().slice(-8);
    const role = await done<AdminRole>('POST', 'roles', { name: `Beta ${tag}`, features: { rating: true } });
    const email = `new_${tag}@example.org`;
    const made = await done('POST', 'users', { email, first_name: 'New', role_ids: [role.id] });
    expect(made).toMatchObject({ email, state: 'active', roles: [{ name: role.name }], is_email_confirmed: false });
    const link = tokenIn((await app.deliveredMails()).findLast(({ to }) => to === email));
    const entered = await app.call<Session>('POST', '/v1/password_reset/redeem', {
      body: { token: link, password: 'a-password-of-their-own' },
    });
    expect(entered.status, JSON.stringify(entered.body)).toBe(200);
    expect((await act('POST', 'users', { email })).body).toMatchObject({ fields: { email: [expect.any(String)] } });

    const changed = await done('PATCH', `users/${made.id}`, { first_name: 'Nova', features: { gpu: true, ai: false } });
    const feature = (name: string) => changed.effective_features.find((each) => each.name === name);
    expect(feature('gpu')).toMatchObject({ is_enabled: true, source: 'person' });
    expect(feature('ai')).toMatchObject({ is_enabled: false, source: 'person' });
    expect(feature('rating')).toMatchObject({ is_enabled: true, source: 'role', source_name: role.name });
    expect(feature('environments')).toMatchObject({ is_enabled: false, source: 'plan', source_name: 'Free' });
    const back = await done('PATCH', `users/${made.id}`, { features: { gpu: null } });
    expect(back.features).toEqual({ ai: false });
    const logs = await logsOf(made.id);
    expect(logs.map(({ action }) => action)).toEqual(['user.updated', 'user.updated', 'user.created']);
    expect(logs[1]).toMatchObject({
      actor: { id: admin.id },
      before: { first_name: 'New', features: {} },
      after: { first_name: 'Nova', features: { gpu: true, ai: false } },
    });
    expect((await act('DELETE', `roles/${role.id}`)).status).toBe(409);
    await done('DELETE', `roles/${role.id}`, { is_forced: true });
    expect((await get<AdminUserDetail>(`users/${made.id}`)).roles).toEqual([]);
  });

  test('plan and access are given and taken; who is no admin any more is out at once', async () => {
    const other = await app.person();
    expect(await done('PATCH', `users/${other.id}/subscription`, { plan: 'Pro', reason: 'Partner' })).toMatchObject({
      plan: { name: 'Pro', title: 'Pro' },
    });
    expect((await act('PATCH', `users/${other.id}/subscription`, { plan: 'Gold' })).status).toBe(422);
    await done('PATCH', `users/${other.id}/access`, { role: 'admin' });
    expect((await act('GET', 'users', {}, other.token)).status).toBe(200);
    await done('PATCH', `users/${other.id}/access`, { role: 'user', reason: 'Left the team' });
    expect((await act('GET', 'users', {}, other.token)).status).toBe(401);
    expect((await logsOf(other.id))[0]).toMatchObject({
      action: 'user.access_changed',
      reason: 'Left the team',
      before: { role: 'admin' },
      after: { role: 'user' },
    });
  });

  test('the last admin stays: not demoted, suspended or deleted, by nobody', async () => {
    for (const [method, path, body] of [
      ['PATCH', 'access', { role: 'user' }],
      ['POST', 'suspend', { message: 'x' }],
    ] as const)
      expect((await act(method, `users/${admin.id}/${path}`, body)).status, path).toBe(409);
    expect((await act('DELETE', `users/${admin.id}`, { reason: 'x' })).status).toBe(409);
  });

  test('two admins who remove each other at the same moment: one of them is left', async () => {
    const own = await createTestApp();
    const [first, second] = [await own.admin(), await own.person()];
    await own.promote(second.id);
    const demote = (id: string, token: string) =>
      own.call('PATCH', `/v1/admin/users/${id}/access`, { token, body: { role: 'user' } });
    await Promise.all([demote(second.id, first.token), demote(first.id, second.token)]);
    expect(await own.database.db.select().from(users).where(eq(users.role, 'admin'))).toHaveLength(1);
  });
});

describe('suspension', () => {
  test('ends sessions, sockets, kernels and keys, tells why, and loses nothing', async () => {
    const bob = await app.person();
    const project = await app.project(bob.token, { create_main_file: true });
    const key = await app.call<{ key: string }>('POST', '/v1/me/api_keys', { token: bob.token, body: { name: 'k' } });
    const topic = await join(
      await connect(app, bob.token),
      topicName(topics.notebook, { projectId: project.id, fileId: project.default_file_id ?? '' }),
    );
    await topic.push('insert_cell', { request_id: newId(), cell: { id: 'wait', source: 'wait' }, after_id: null });
    await topic.push('execute_cell', { request_id: newId(), cell_id: 'wait' });
    await expect.poll(async () => (await get<AdminUserDetail>(`users/${bob.id}`)).kernels_count).toBe(1);
    await expect
      .poll(async () => {
        await sampleKernels(app.app.system());
        return app.database.db.select().from(kernelSamples).where(eq(kernelSamples.userId, bob.id));
      })
      .toMatchObject([{ kernels: 1, memoryBytes: 1_000_000 }]);
    const message = 'Please write to us.';
    expect(await done('POST', `users/${bob.id}/suspend`, { message })).toMatchObject({
      state: 'suspended',
      suspension: { message },
      sessions: [],
    });
    expect((await app.call('GET', '/v1/settings', { token: bob.token })).status).toBe(401);
    expect((await app.call('GET', '/v1/settings', { apiKey: key.body.key })).body.message).toBe(message);
    const again = await app.call('POST', '/v1/sign_in', { body: { email: bob.email, password: 'wrong-password-1' } });
    expect(again.status).toBe(401);
    await expect.poll(async () => (await get<AdminUserDetail>(`users/${bob.id}`)).kernels_count).toBe(0);
    await done('POST', `users/${bob.id}/unsuspend`, { reason: 'Solved' });
    expect((await app.call('GET', '/v1/settings', { apiKey: key.body.key })).status).toBe(200);
    expect((await get<AdminUserDetail>(`users/${bob.id}`)).projects_count).toBe(1);
    expect((await logsOf(bob.id)).map(({ action, reason }) => [action, reason])).toEqual([
      ['user.unsuspended', 'Solved'],
      ['user.suspended', message],
    ]);
  });
});

describe('deleting an account', () => {
  test('hands its projects on, or puts them into the trash, and leaves no name', async () => {
    const [bob, heir] = [await app.person(), await app.person()];
    const project = await app.project(bob.token, { name: 'Work' });
    expect((await act('DELETE', `users/${bob.id}`, { reason: 'x', transfer_to_id: newId() })).status).toBe(422);
    await done('DELETE', `users/${bob.id}`, { reason: 'Asked to', transfer_to_id: heir.id });
    const detail = await app.call<{ owner: { id: string } }>('GET', `/v1/notebooks/${project.id}`, {
      token: heir.token,
    });
    expect(detail.body).toMatchObject({ name: 'Work', owner: { id: heir.id } });
    expect((await app.call('GET', '/v1/settings', { token: bob.token })).status).toBe(401);
    const [row] = await app.database.db.select().from(users).where(eq(users.id, bob.id));
    expect(JSON.stringify(row)).not.toContain(bob.user_name);
    expect((await act('POST', `users/${bob.id}/unsuspend`)).status).toBe(404);
    // The address is free again.
    await app.person(bob.user_name);
  });

  test('is refused while a team would be left without an owner', async () => {
    const bob = await app.person();
    const team = await app.call<{ id: string }>('POST', '/v1/teams', { token: bob.token, body: { name: 'Alone' } });
    const refused = await act('DELETE', `users/${bob.id}`, { reason: 'x' });
    expect([refused.status, (refused.body as unknown as { message: string }).message]).toEqual([
      409,
      expect.stringContaining('Alone'),
    ]);
    await app.call('DELETE', `/v1/teams/${team.body.id}`, { token: bob.token });
    await done('DELETE', `users/${bob.id}`, { reason: 'x' });
  });
});

describe('acting as another person', () => {
  const mask = (id: string) => act<Session>('POST', `users/${id}/mask`, { reason: 'Ticket 12' });

  test('sees what they see, changes under both names, and reaches no secrets, keys, money or admin pages', async () => {
    const bob = await app.person();
    const project = await app.project(bob.token, { create_main_file: true });
    await app.call('POST', '/v1/secrets', { token: bob.token, body: { key: 'TOKEN', value: 'abc' } });
    const masked = (await mask(bob.id)).body;
    expect(masked).toMatchObject({ id: bob.id, masked_by: { id: admin.id }, is_admin: false });
    const token = masked.token ?? '';
    expect((await app.call('GET', `/v1/notebooks/${project.id}`, { token })).status).toBe(200);
    for (const path of ['/v1/secrets', '/v1/me/api_keys', '/v1/wallet', '/v1/admin/users'])
      expect((await app.call('GET', path, { token })).status, path).toBe(403);
    const run = await app.call<Run>('POST', `/v1/notebooks/${project.id}/runs`, { token, body: {} });
    expect(run.status).toBe(403);
    // What they could run with their secrets later is not changed either.
    const edit = await app.call('PATCH', `/v1/notebooks/${project.id}`, { token, body: { name: 'Renamed for Bob' } });
    expect(edit.status).toBe(403);
    const profile = await app.call('PATCH', '/v1/settings', { token, body: { headline: 'Set for Bob' } });
    expect(profile.status).toBe(200);
    const logs = await logsOf(bob.id);
    expect(logs[0]).toMatchObject({ action: 'masked.acted', after: { request: 'PATCH /v1/settings' } });
    expect(logs[1]).toMatchObject({
      action: 'masked.acted',
      actor: { id: admin.id },
      masked_as: { id: bob.id },
      after: { request: 'PATCH /v1/notebooks/{id}' },
    });
    expect(logs.at(-1)).toMatchObject({ action: 'user.masked', reason: 'Ticket 12', masked_as: null });
    const back = await app.call<Session>('POST', '/v1/admin/unmask', { token, body: {} });
    expect(back.body).toMatchObject({ id: admin.id, masked_by: null, is_admin: true });
    expect((await app.call('GET', '/v1/me', { token })).status).toBe(401);
    // The token from before has been replaced as well.
    expect((await act('GET', 'users')).status).toBe(401);
    admin = { ...admin, token: back.body.token ?? '' };
    expect((await act('GET', 'users')).status).toBe(200);
    expect((await act('POST', 'unmask')).status).toBe(403);
  });

  test('is refused for admins, oneself and suspended people', async () => {
    const [bob, other] = [await app.person(), await app.person()];
    await app.promote(other.id);
    await app.suspend(bob.id, 'x');
    expect([(await mask(other.id)).status, (await mask(admin.id)).status, (await mask(bob.id)).status]).toEqual([
      403, 409, 409,
    ]);
    await done('PATCH', `users/${other.id}/access`, { role: 'user' });
  });

  test('ends after an hour, open connections too, and with the session of the admin', async () => {
    const own = await createTestApp();
    const [first, second, bob] = [await own.admin(), await own.person(), await own.person()];
    await own.promote(second.id);
    const begin = async (token: string) =>
      (await own.call<Session>('POST', `/v1/admin/users/${bob.id}/mask`, { token, body: { reason: 'x' } })).body.token;
    const timed = await begin(first.token);
    own.clock.advance(60 * 60_000);
    expect((await own.call('GET', '/v1/settings', { token: timed })).body.message).toBe('Session timeout');
    // What closes the connections that were opened with it.
    await own.app.jobs.settled();
    const { db } = own.database;
    const ended = await db.select().from(sessions).where(eq(sessions.method, 'mask'));
    expect(ended.map(({ endReason }) => endReason)).toEqual(['mask_expired']);
    const other = await begin(second.token);
    expect((await own.call('GET', '/v1/settings', { token: other })).status).toBe(200);
    await own.call('PATCH', `/v1/admin/users/${second.id}/access`, { token: first.token, body: { role: 'user' } });
    expect((await own.call('GET', '/v1/settings', { token: other })).status).toBe(401);
  });
});

describe('features', () => {
  test('are turned off for all with a message, and on again for a role', async () => {
    const bob = await app.person();
    const role = await done<AdminRole>('POST', 'roles', { name: 'Analysts', features: { wallet: true } });
    const wallet = () => app.call('GET', '/v1/balance', { token: bob.token });
    const message = 'Comes next month.';
    expect(await done<AdminFeature>('PATCH', 'features', { name: 'wallet', is_enabled: false, message })).toMatchObject(
      {
        is_enabled: false,
        message,
        roles: [{ name: 'Analysts', is_enabled: true }],
      },
    );
    expect(await wallet()).toMatchObject({ status: 403, body: { message } });
    const me = await app.call<Session>('GET', '/v1/me', { token: bob.token, query: { with_features: 'true' } });
    expect(me.body.features?.wallet).toEqual({ enabled: false, reason: 'disabled_in_configuration', message });
    await done('PUT', `users/${bob.id}/roles`, { role_ids: [role.id] });
    expect((await wallet()).status).toBe(200);
    await done('PUT', `users/${bob.id}/roles`, { role_ids: [] });
    await done('PATCH', 'features', { name: 'wallet', is_enabled: null });
    expect((await wallet()).status).toBe(200);
    const { entries } = await get<List<AdminFeature>>('features');
    expect(entries.find(({ name }) => name === 'wallet')).toMatchObject({ is_enabled: null, message: null });
    expect((await act('POST', 'roles', { name: 'analysts' })).status).toBe(422);
    expect((await act('PATCH', 'features', { name: 'nothing', is_enabled: true })).status).toBe(422);
  });

  test('what the configuration decides is not for admins', async () => {
    const own = await createTestApp({ env: { ATOLL_FEATURES_OFF: 'wallet' } });
    const { token } = await own.admin();
    const body = { name: 'wallet', is_enabled: true };
    expect((await own.call('PATCH', '/v1/admin/features', { token, body })).status).toBe(409);
  });
});

test('limits: the highest of plan and roles counts, in the quota too, and is explained', async () => {
  const bob = await app.person();
  const limits = { projects: 40, execution_hours: 0, tier: 'l2' };
  const role = await done<AdminRole>('POST', 'roles', { name: 'Course', limits });
  expect(role.limits).toEqual(limits);
  const limitsOf = async () =>
    (await get<AdminUserDetail>(`users/${bob.id}`)).effective_limits.map(({ value, source_name }) => [
      value,
      source_name,
    ]);
  const quota = async () => {
    const { body } = await app.call<Quota>('GET', '/v1/me/quota', { token: bob.token });
    return [body.projects_total, body.subscription_total];
  };
  const [, [hours]] = (await limitsOf()) as [unknown, [number]];
  const [, planSeconds] = await quota();
  await done('PUT', `users/${bob.id}/roles`, { role_ids: [role.id] });
  expect(await limitsOf()).toEqual([
    [40, 'Course'],
    [hours, 'Free'],
    [expect.any(Number), 'Free'],
    ['l2', 'Course'],
  ]);
  expect(await quota()).toEqual([40, planSeconds]);
  // Told live, when the role is given, changed and taken back.
  const person = await join(await connect(app, bob.token), topicName(topics.person, { userId: bob.id }));
  const told = async (isIt: (quota: Quota) => boolean) => {
    await app.app.relay.settled();
    await app.app.jobs.settled();
    await person.event('quota_changed', (payload) => isIt(payload.quota as Quota));
  };
  await done('PATCH', `roles/${role.id}`, { limits: { projects: 41 } });
  await told(({ projects_total }) => projects_total === 41);
  await done('PUT', `users/${bob.id}/roles`, { role_ids: [] });
  await told(({ projects_total }) => projects_total !== 41 && projects_total !== 40);
  await done('PUT', `users/${bob.id}/roles`, { role_ids: [role.id] });
  await done('PATCH', `roles/${role.id}`, { limits: { execution_hours: null } });
  expect((await limitsOf())[1]).toEqual([null, 'Course']);
  expect((await quota())[1]).toBeNull();
  const [row] = rowsOf<{ ms: number | null }>(
    await app.database.db.execute(sql`select ${executionLimitSql}::float8 as ms from users u where u.id = ${bob.id}`),
  );
  expect(row?.ms).toBeNull();
  await done('PATCH', `roles/${role.id}`, { limits: { execution_hours: hours + 1 } });
  const [raised] = rowsOf<{ ms: number }>(
    await app.database.db.execute(sql`select ${executionLimitSql}::float8 as ms from users u where u.id = ${bob.id}`),
  );
  expect([raised?.ms, (await quota())[1]]).toEqual([(hours + 1) * 3_600_000, (hours + 1) * 3_600]);
  expect((await act('PATCH', `roles/${role.id}`, { limits: { projects: -1 } })).status).toBe(422);
  const before = person.events.length;
  await done('DELETE', `roles/${role.id}`, { is_forced: true });
  await told(() => person.events.length > before);
});

test('mail that was not delivered is listed with its reason and sent again', async () => {
  const { db } = app.database;
  const [id, waiting] = [newId(), newId()];
  const lastError =
    'users: Something else\nsign-in: Error: Mail was not delivered to bob@example.org: 550: no such user';
  const event = { name: 'flags.changed', payload: { names: [] }, attempts: 6, createdAt: new Date(app.clock.time) };
  await db.insert(eventsTable).values([
    { ...event, id, lastError },
    { ...event, id: waiting, lastError, dueAt: new Date(app.clock.time + 60_000) },
    { ...event, lastError: 'users: Something else' },
  ]);
  const { entries } = await get<List<UndeliveredMail>>('undelivered_mail');
  expect(entries.map((entry) => entry.id)).toEqual([waiting, id]);
  expect(entries[1]).toMatchObject({ to: 'bob@example.org', reason: '550: no such user', next_attempt_at: null });
  expect((await act('POST', `undelivered_mail/${waiting}/retry`)).status).toBe(409);
  await done('POST', `undelivered_mail/${id}/retry`);
  await app.app.relay.settled();
  expect((await get<List<UndeliveredMail>>('undelivered_mail')).entries.map((entry) => entry.id)).toEqual([waiting]);
  expect((await act('POST', `undelivered_mail/${id}/retry`)).status).toBe(404);
  expect((await logsOf(id))[0]).toMatchObject({ action: 'mail.retried', before: { name: 'bob@example.org' } });
});

test('looking at the kernels starts no kernel host', async () => {
  const own = await createTestApp();
  const { token } = await own.admin();
  const { kernels } = own.app.system();
  const start = vi.spyOn(kernels, 'host');
  const running = vi.spyOn(kernels, 'running').mockResolvedValue(null);
  for (const path of ['kernels', 'kernels/history', 'jupyter_stats', 'overview'])
    expect((await own.call('GET', `/v1/admin/${path}`, { token })).status, path).toBe(200);
  expect((await own.call('GET', '/v1/admin/jupyter_stats', { token })).body).toMatchObject({
    providers: [],
    environment: null,
  });
  expect(running).toHaveBeenCalled();
  expect(start).not.toHaveBeenCalled();
});

test('memory and processors of kernels are sampled, shown over time and by person, and not kept for ever', async () => {
  const own = await createTestApp();
  const [{ token }, bob] = [await own.admin(), await own.person()];
  const serverId = newId();
  const sample = { userId: bob.id, serverId, kernels: 1, memoryBytes: 1_000, cpuMs: 30_000 };
  const sampledAt = (hoursAgo: number) => new Date(own.clock.time - hoursAgo * 3_600_000);
  await own.database.db.insert(kernelSamples).values([
    { ...sample, sampledAt: sampledAt(0.75) },
    { ...sample, sampledAt: sampledAt(0.75), serverId: newId() },
    { ...sample, sampledAt: sampledAt(0.5), memoryBytes: 500 },
    { ...sample, sampledAt: sampledAt(24 * 8), memoryBytes: 9_000 },
  ]);
  const history = async (query: Record<string, string>) =>
    (await own.call<KernelHistory>('GET', '/v1/admin/kernels/history', { token, query })).body;
  const { points, people } = await history({ hours: '1' });
  expect(points).toHaveLength(48);
  const used = points.filter(({ memory_bytes }) => memory_bytes > 0);
  expect(used).toMatchObject([
    { kernels: 2, memory_bytes: 2_000, cores: 0.8 },
    { kernels: 1, memory_bytes: 500, cores: 0.4 },
  ]);
  expect(people).toMatchObject([{ person: { id: bob.id }, memory_peak: 2_000, cpu_seconds: 90 }]);
  expect((await history({ hours: '24', user_id: newId() })).people).toEqual([]);
  await sweepSamples(own.app.system());
  expect(await own.database.db.$count(kernelSamples)).toBe(3);
});

test('the log is append-only in the database too, and csv holds no formulas', async () => {
  const bob = await app.person();
  await done('PATCH', `users/${bob.id}`, { first_name: '=1+1' });
  await expect(app.database.db.execute(sql`update action_logs set action = 'x'`)).rejects.toThrow();
  await expect(app.database.db.execute(sql`delete from action_logs`)).rejects.toThrow();
  await expect(app.database.db.execute(sql`truncate action_logs`)).rejects.toThrow();
  expect(await logsOf(bob.id)).toHaveLength(1);
  const csv = async (path: string, query: Record<string, string>) =>
    (await app.call<string>('GET', `/v1/admin/${path}/csv`, { token: admin.token, query })).body;
  expect(await csv('users', { search: bob.user_name })).toContain(`,${bob.user_name},'=1+1,`);
  expect(await csv('action_logs', { subject_id: bob.id })).toContain('user.updated');
  expect((await app.call('GET', '/v1/admin/users/csv', { token: bob.token })).status).toBe(403);
  await done('POST', 'roles', { name: '=2+2', description: '+x' });
  expect(await csv('lists/roles', {})).toMatch(/^id,name,description,.*\r\n(.*\r\n)*[^,]+,'=2\+2,'\+x,/);
  for (const list of csvLists.filter((each) => each !== 'referral_users'))
    expect(await csv(`lists/${list}`, {}), list).toMatch(/^[a-z_]+,[a-z_,]+\r\n/);
  expect(await csv('lists/referral_users', {})).toMatchObject({ status: 422 });
  expect(await csv('lists/referral_users', { id: newId() })).toMatchObject({ status: 404 });
  expect(await csv('lists/jobs', { state: 'x' })).toMatchObject({ status: 422 });
  expect(await csv('lists/nothing', {})).toMatchObject({ status: 404 });
});

test('jobs are listed with their reason, tried again and canceled', async () => {
  const job = {
    kind: 'test.nothing',
    payload: {},
    dueAt: new Date(app.clock.time),
    createdAt: new Date(app.clock.time),
  };
  const [failed, waiting] = [newId(), newId()];
  const ended = { state: 'failed' as const, reason: 'No such file', endedAt: new Date(app.clock.time) };
  await app.database.db.insert(jobsTable).values([
    { ...job, ...ended, id: failed },
    { ...job, id: waiting, dueAt: new Date(app.clock.time + 3_600_000) },
  ]);
  const { entries } = await get<List<AdminJob>>('jobs', { kind: 'test.nothing', state: 'failed' });
  expect(entries).toMatchObject([{ id: failed, reason: 'No such file' }]);
  expect(await done<AdminJob>('POST', `jobs/${failed}/retry`)).toMatchObject({ state: 'queued' });
  expect((await act('POST', `jobs/${failed}/retry`)).status).toBe(409);
  expect(await done<AdminJob>('POST', `jobs/${waiting}/cancel`, { reason: 'Not needed' })).toMatchObject({
    state: 'canceled',
    reason: 'Not needed',
  });
  expect((await act('POST', `jobs/${newId()}/retry`)).status).toBe(404);
  await done('POST', `jobs/${failed}/cancel`, { reason: 'Not needed' });
});

test('overview, kernels, usages, tracking, subscriptions and bot channels answer', async () => {
  const overview = await get<Overview>('overview');
  expect(overview.counts.people).toBeGreaterThan(0);
  expect(overview.days.sign_ups.at(-1)?.value).toBeGreaterThanOrEqual(overview.counts.people);
  expect(overview.days.sign_ups).toHaveLength(30);
  expect(overview.health.map(({ name }) => name)).toEqual(['Database', 'Kernels', 'Background jobs', 'Mail']);
  expect(await get('kernels')).toMatchObject({ total: 0, queued_cells: 0 });
  for (const group of ['person', 'day', 'tier']) {
    const usage = await get<{ entries: { kernels: number }[]; total: { kernels: number } }>('usages', { group });
    expect(usage.total.kernels).toBe(usage.entries.reduce((sum, { kernels }) => sum + kernels, 0));
  }
  const bob = await app.person();
  const topic = await join(await connect(app, bob.token), topics.tracking.pattern);
  const at = new Date(app.clock.time).toISOString();
  await topic.push('track', { request_id: newId(), events: [{ name: 'page.viewed', properties: { to: '/x' }, at }] });
  expect(await get('tracking', { name: 'page.viewed', user_id: bob.id })).toMatchObject({
    days: [{ events: 1, people: 1 }],
    entries: [{ name: 'page.viewed', person: { id: bob.id }, properties: { to: '/x' } }],
    next: null,
  });
  expect(await get('subscriptions')).toMatchObject({ entries: [], total: 0 });
  const channel = await done<{ id: string }>('POST', 'trading_bot_channels', {
    title: 'Signals',
    telegram_chat_id: '-100',
  });
  const body = { is_enabled: false };
  expect(await done('PATCH', `trading_bot_channels/${channel.id}`, body)).toMatchObject({
    ...{ title: 'Signals', type: 'all', telegram_chat_id: '-100', periodic_updates_interval: 240 },
    ...body,
  });
  await done('DELETE', `trading_bot_channels/${channel.id}`);
  expect(await get('trading_bot_channels')).toEqual({ entries: [] });
});

test('days are counted by a job: the one that was not over is counted again, those before it are not', async () => {
  const own = await createTestApp();
  const [{ token }, bob] = [await own.admin(), await own.person()];
  const track = (name: string) =>
    own.call('POST', '/v1/tracking', {
      token: bob.token,
      body: { events: [{ name, at: new Date(own.clock.time).toISOString() }] },
    });
  const tracking = async (query: Record<string, string> = {}) =>
    (await own.call<{ days: object[]; names: object[] }>('GET', '/v1/admin/tracking', { token, query })).body;
  const count = () => countFigures(own.app.system());
  const [first, second] = [0, 1].map((days) => new Date(own.clock.time + days * 86_400_000).toISOString().slice(0, 10));
  await track('cell.run');
  await count();
  await track('cell.run');
  await track('file.saved');
  own.clock.advance(86_400_000);
  await track('cell.run');
  await count();
  await count();
  expect(await tracking()).toMatchObject({
    days: [
      { day: first, events: 3, people: 1 },
      { day: second, events: 1, people: 1 },
    ],
    names: [
      { name: 'cell.run', events: 3, people_per_day: 1 },
      { name: 'file.saved', events: 1, people_per_day: 1 },
    ],
  });
  expect((await tracking({ name: 'file.saved' })).days).toMatchObject([{ day: first, events: 1 }]);
  const { body } = await own.call<Overview>('GET', '/v1/admin/overview', { token });
  expect(body.days.active.slice(-2).map(({ value }) => value)).toEqual([1, 1]);
  expect(body.days.sign_ups.at(-2)?.value).toBe(2);
  expect(body).toMatchObject({ counts: { people: 2 }, counted_at: new Date(own.clock.time).toISOString() });
});

test('tracking: a funnel counts people who did one after the other, and admins are told of events live', async () => {
  const own = await createTestApp();
  const [{ token }, ...people] = [await own.admin(), await own.person(), await own.person(), await own.person()];
  const live = await join(await connect(own, token), topics.trackingLive.pattern);
  await expect(join(await connect(own, people[0]?.token ?? ''), topics.trackingLive.pattern)).rejects.toThrow();
  const track = async (person: number, names: string[]) => {
    for (const name of names) {
      own.clock.advance(1_000);
      const events = [{ name, at: new Date(own.clock.time).toISOString() }];
      await own.call('POST', '/v1/tracking', { token: people[person]?.token ?? '', body: { events } });
    }
  };
  await track(0, ['signed.up', 'cell.run', 'file.shared']);
  expect(await live.event('tracked')).toMatchObject({ names: ['signed.up'] });
  // In the other order they did not get there.
  await track(1, ['cell.run', 'signed.up', 'file.shared']);
  await track(2, ['signed.up', 'signed.up', 'cell.run', 'cell.run']);
  const funnel = (query: Record<string, string>) => own.call('GET', '/v1/admin/tracking/funnel', { token, query });
  const steps = { step_1: 'signed.up', step_2: 'cell.run', step_3: 'file.shared' };
  expect((await funnel(steps)).body).toEqual({
    steps: [
      { name: 'signed.up', people: 3 },
      { name: 'cell.run', people: 2 },
      { name: 'file.shared', people: 1 },
    ],
    is_estimate: false,
  });
  // Very many events, as the job has counted them: some of the people stand for all.
  await own.database.db.insert(trackedDays).values({
    day: new Date(own.clock.time).toISOString().slice(0, 10),
    name: 'cell.run',
    events: 10_000_000,
    people: 1_000_000,
  });
  expect((await funnel(steps)).body).toMatchObject({ is_estimate: true });
  const soon = new Date(own.clock.time + 1).toISOString();
  expect((await funnel({ ...steps, from: soon })).body).toMatchObject({ steps: [{ people: 0 }, {}, {}] });
  expect((await funnel({ step_1: 'signed.up' })).status).toBe(422);
});

test('plans and referral codes are made, changed and withdrawn, each in the log', async () => {
  const fields = {
    title: 'Campus',
    price: 100,
    annual_price: 1_000,
    max_number_of_projects: 3,
    max_execution_time: 7_200,
    longest_run: 3_600,
    tier: 'l1',
  };
  const plan = await done<RatePlan>('POST', 'rate_plans', fields);
  expect(await done<RatePlan>('PATCH', `rate_plans/${plan.id}`, { title: 'University' })).toMatchObject({
    title: 'University',
    price: 100,
  });
  const bob = await app.person();
  expect(await done('PATCH', `users/${bob.id}/subscription`, { plan: plan.name })).toMatchObject({
    plan: { title: 'University' },
  });
  expect(await done<RatePlan>('DELETE', `rate_plans/${plan.id}`)).toMatchObject({ is_withdrawn: true });
  expect((await get<AdminUserDetail>(`users/${bob.id}`)).plan.title).toBe('University');
  const { entries } = await get<List<RatePlan>>('rate_plans');
  const free = entries.find(({ name }) => name === 'Free');
  expect((await act('DELETE', `rate_plans/${free?.id}`)).status).toBe(409);
  expect((await logsOf(plan.id)).map(({ action }) => action)).toEqual([
    'rate_plan.withdrawn',
    'rate_plan.updated',
    'rate_plan.created',
  ]);
  expect((await logsOf(plan.id))[1]).toMatchObject({
    subject: { name: 'University' },
    before: { title: 'Campus' },
    after: { title: 'University' },
  });
  await done('PATCH', 'billing_settings', { extension_hour_price: 25 });
  expect((await logsOf('billing'))[0]).toMatchObject({
    before: { extension_hour_price: 20 },
    after: { extension_hour_price: 25 },
  });
  const voucher = await done<{ id: string; code: string }>('POST', 'vouchers', { units: 5, note: 'Fair' });
  const [issued] = await logsOf(voucher.id);
  expect(issued).toMatchObject({ action: 'voucher.created', reason: 'Fair', after: { units: 5 } });
  expect(JSON.stringify(issued)).not.toContain(voucher.code);

  const code = await done<Referral>('POST', 'referrals', { code: 'SPRING-24', units: 50 });
  expect((await act('POST', 'referrals', { code: 'spring-24' })).status).toBe(422);
  expect(await done<Referral>('PATCH', `referrals/${code.id}`, { enabled: false })).toMatchObject({ enabled: false });
  expect(await get<List<object>>(`referrals/${code.id}/users`)).toMatchObject({ entries: [], total: 0 });
  expect(await get<string>('lists/referral_users/csv', { id: code.id })).toBe('user,code,state,reason,units,date\r\n');
  await done('DELETE', `referrals/${code.id}`);
  const [deleted, changed] = await logsOf(code.id);
  expect(changed).toMatchObject({ before: { enabled: true }, after: { enabled: false } });
  expect(deleted).toMatchObject({ action: 'referral.deleted', before: { code: code.code }, after: null });
  expect((await act('DELETE', `referrals/${code.id}`)).status).toBe(404);
});

test('units above the limit wait for a second admin', async () => {
  const [bob, second] = [await app.person(), await app.person()];
  await app.promote(second.id);
  const credit = { request_id: newId(), amount: 10_001, reason: 'Refund of a fair' };
  const ask = () =>
    done<{ balance: number; is_waiting: boolean }>('POST', `users/${bob.id}/wallet_transactions`, credit);
  expect([await ask(), await ask()]).toEqual(Array(2).fill({ balance: 0, is_waiting: true }));
  const { entries } = await get<List<CreditRequest>>('credit_requests');
  expect(entries).toMatchObject([{ id: credit.request_id, amount: 10_001, person: { id: bob.id }, is_yours: true }]);
  const approve = (token: string) => act('POST', `credit_requests/${credit.request_id}/approve`, {}, token);
  expect((await approve(admin.token)).status).toBe(403);
  const both = await Promise.all([approve(second.token), approve(second.token)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await ask()).toEqual({ balance: 10_001, is_waiting: false });
  const rejected = { ...credit, request_id: newId(), amount: -10_001 };
  await done('POST', `users/${bob.id}/wallet_transactions`, rejected);
  await done('POST', `credit_requests/${rejected.request_id}/reject`);
  expect(await ask()).toEqual({ balance: 10_001, is_waiting: false });
  expect((await logsOf(bob.id)).map(({ action, actor }) => [action, actor?.id])).toEqual([
    ['user.units_rejected', admin.id],
    ['user.units_requested', admin.id],
    ['user.units_changed', second.id],
    ['user.units_requested', admin.id],
  ]);
  await done('PATCH', `users/${second.id}/access`, { role: 'user' });
});

test('credits below the limit add up over a day: what goes above it waits too', async () => {
  const own = await createTestApp({ env: { ATOLL_CREDIT_LIMIT: '100' } });
  const [{ token }, bob] = [await own.admin(), await own.person()];
  const credit = async (amount: number, request_id = newId()) => {
    const body = { request_id, amount, reason: 'Refund' };
    const path = `/v1/admin/users/${bob.id}/wallet_transactions`;
    return (await own.call<{ balance: number; is_waiting: boolean }>('POST', path, { token, body })).body;
  };
  const first = newId();
  expect(await credit(60, first)).toEqual({ balance: 60, is_waiting: false });
  expect(await credit(60, first)).toEqual({ balance: 60, is_waiting: false });
  // Debits count as well.
  expect(await credit(-30)).toEqual({ balance: 30, is_waiting: false });
  const both = await Promise.all([credit(10), credit(10)]);
  expect(both.map(({ is_waiting }) => is_waiting).sort()).toEqual([false, true]);
  expect(await credit(1)).toMatchObject({ is_waiting: true });
  own.clock.advance(24 * 60 * 60_000);
  expect(await credit(100)).toEqual({ balance: 140, is_waiting: false });
});
