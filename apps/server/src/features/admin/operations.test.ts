import {
  type AdminJob,
  type AdminUserDetail,
  type CreditRequest,
  csvLists,
  type KernelHistory,
  type Overview,
  type RatePlan,
  type Referral,
  topics,
  type UndeliveredMail,
  type Voucher,
} from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { eventsTable } from '../../platform/events/table.ts';
import { jobsTable } from '../../platform/jobs/table.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { createSharedApp, createTestApp } from '../../test/test-app.ts';
import { sweepSamples } from '../kernels/service/samples.ts';
import { kernelSamples } from '../kernels/table.ts';
import { trackedDays } from '../tracking/table.ts';
import { countFigures } from './service/figures.ts';
import { adminCalls, type List } from './test/admin-calls.ts';

const app = await createSharedApp();
const admin = await app.admin();
const { get, act, done, logsOf } = adminCalls(app, () => admin.token);

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
    own.post(bob.token, '/v1/tracking', { events: [{ name, at: new Date(own.clock.time).toISOString() }] });
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
    details: ['For one class'],
    features: ['export'],
  };
  const plan = await done<RatePlan>('POST', 'rate_plans', fields);
  expect(await done<RatePlan>('PATCH', `rate_plans/${plan.id}`, { title: 'University' })).toMatchObject({
    title: 'University',
    price: 100,
    details: ['For one class'],
    features: ['export'],
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

test('vouchers above the limit of a day cannot be redeemed before a second admin has approved them', async () => {
  const own = await createTestApp({ env: { ATOLL_CREDIT_LIMIT: '100' } });
  const [first, second, bob] = [await own.admin(), await own.person(), await own.person()];
  await own.promote(second.id);
  const call = <Body extends object>(token: string, method: string, path: string, body: object = {}) =>
    own.call<Body>(method as 'POST', `/v1/${path}`, { token, ...(method === 'GET' ? {} : { body }) });
  const create = async (fields: object) =>
    (await call<Voucher & { code: string }>(first.token, 'POST', 'admin/vouchers', fields)).body;
  const redeem = async (code: string) => (await call(bob.token, 'POST', 'wallet/vouchers/redeem', { code })).status;
  const waiting = async () =>
    (await call<List<CreditRequest>>(first.token, 'GET', 'admin/credit_requests')).body.entries;
  const decide = async (token: string, id: string | undefined, decision: string) =>
    (await call(token, 'POST', `admin/credit_requests/${id}/${decision}`)).status;

  expect(await create({ units: 60 })).toMatchObject({ approval: 'approved' });
  // Neither many people, nor many small ones, nor a credit beside them go around it.
  const large = await create({ units: 10, count: 5, note: 'Fair' });
  expect(large).toMatchObject({ approval: 'waiting', count: 5 });
  const credit = { request_id: newId(), amount: 41, reason: 'Refund' };
  const path = `admin/users/${bob.id}/wallet_transactions`;
  expect((await call(first.token, 'POST', path, credit)).body).toMatchObject({ is_waiting: true });
  const both = await Promise.all([create({ units: 40 }), create({ units: 40 })]);
  expect(both.map(({ approval }) => approval).sort()).toEqual(['approved', 'waiting']);

  expect(await redeem(large.code)).toBe(409);
  const [request] = await waiting();
  expect(request).toMatchObject({ amount: 50, reason: 'Fair', person: null, voucher: { id: large.id, count: 5 } });
  expect(await decide(first.token, request?.id, 'approve')).toBe(403);
  expect(await redeem(large.code)).toBe(409);
  const decided = await Promise.all([1, 2].map(() => decide(second.token, request?.id, 'approve')));
  expect(decided.sort()).toEqual([200, 409]);
  expect(await redeem(large.code)).toBe(200);

  const refused = await create({ units: 101 });
  expect(await decide(first.token, (await waiting()).at(-1)?.id, 'reject')).toBe(200);
  expect(await redeem(refused.code)).toBe(410);
  const listed = (await call<List<Voucher>>(first.token, 'GET', 'admin/vouchers')).body.entries;
  expect(listed.find(({ id }) => id === refused.id)).toMatchObject({ approval: 'rejected', redeemed: 0 });
  expect((await call(first.token, 'GET', 'admin/lists/credit_requests/csv')).status).toBe(200);
  const overall = { units: 100_000_000, count: 2 };
  expect((await call(first.token, 'POST', 'admin/vouchers', overall)).status).toBe(422);
});
