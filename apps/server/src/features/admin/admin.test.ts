import {
  type AdminFeature,
  type AdminRole,
  type AdminUser,
  type AdminUserDetail,
  type Quota,
  type Run,
  type Session,
  topicName,
  topics,
} from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { createSharedApp, createTestApp, tokenIn } from '../../test/test-app.ts';
import { sampleKernels } from '../kernels/service/samples.ts';
import { kernelSamples } from '../kernels/table.ts';
import { executionLimitSql } from '../quota/service/limits.ts';
import { sessions } from '../sessions/table.ts';
import { users } from '../users/table.ts';
import { adminCalls, type List } from './test/admin-calls.ts';

const app = await createSharedApp();
let admin = await app.admin();
const { get, act, done, logsOf } = adminCalls(app, () => admin.token);

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
    const role = await done<AdminRole>('POST', 'roles', { name: `Beta ${tag}`, features: { export: true } });
    const email = `new_${tag}@example.org`;
    const made = await done('POST', 'users', { email, first_name: 'New', role_ids: [role.id] });
    expect(made).toMatchObject({ email, state: 'active', roles: [{ name: role.name }], is_email_confirmed: false });
    const link = tokenIn((await app.deliveredMails()).findLast(({ to }) => to === email));
    const entered = await app.call<Session>('POST', '/v1/password_reset/redeem', {
      body: { token: link, password: 'a-password-of-their-own' },
    });
    expect(entered.status, JSON.stringify(entered.body)).toBe(200);
    expect((await act('POST', 'users', { email })).body).toMatchObject({ fields: { email: [expect.any(String)] } });

    const changed = await done('PATCH', `users/${made.id}`, {
      first_name: 'Nova',
      features: { trade: true, ai: false },
    });
    const feature = (name: string) => changed.effective_features.find((each) => each.name === name);
    expect(feature('trade')).toMatchObject({ is_enabled: true, source: 'person' });
    expect(feature('ai')).toMatchObject({ is_enabled: false, source: 'person' });
    expect(feature('export')).toMatchObject({ is_enabled: true, source: 'role', source_name: role.name });
    expect(feature('environments')).toMatchObject({ is_enabled: false, source: 'unbuilt' });
    const back = await done('PATCH', `users/${made.id}`, { features: { trade: null } });
    expect(back.features).toEqual({ ai: false });
    const logs = await logsOf(made.id);
    expect(logs.map(({ action }) => action)).toEqual(['user.updated', 'user.updated', 'user.created']);
    expect(logs[1]).toMatchObject({
      actor: { id: admin.id },
      before: { first_name: 'New', features: {} },
      after: { first_name: 'Nova', features: { trade: true, ai: false } },
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
    const detail = await app.get<{ owner: { id: string } }>(heir.token, `/v1/notebooks/${project.id}`);
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

  test('sees what they see, changes nothing, and reaches no secrets, keys, money or admin pages', async () => {
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
    expect([profile.status, profile.body.message]).toEqual([403, expect.stringContaining('change nothing')]);
    const takeOver = { token, body: { user_id: admin.id } };
    expect((await app.call('PATCH', `/v1/notebooks/${project.id}/owner`, takeOver)).status).toBe(403);
    const [theirs] = await app.database.db.select().from(sessions).where(eq(sessions.userId, bob.id));
    expect((await app.call('DELETE', `/v1/me/sessions/${theirs?.id}`, { token })).status).toBe(403);
    const seen = await app.call<{ stats: { view_count: number } }>('GET', `/v1/notebooks/${project.id}`, {
      token: bob.token,
    });
    expect(seen.body.stats.view_count).toBe(1);
    const logs = await logsOf(bob.id);
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
    await app.settled();
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
