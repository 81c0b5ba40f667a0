import type { Quota, RatePlan, Session } from '@atoll/contract';
import { planFeatures, ratePlanFields, topicName, topics } from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';
import { roles, users } from '../users/table.ts';
import { createPlan, updatePlan, withdrawPlan } from './service/manage.ts';
import { listPlans, planByName, seedPlans } from './service/plans.ts';
import { settingsOf, updateSettings } from './service/settings.ts';
import { ratePlans } from './table.ts';

const fields = {
  title: 'Class',
  price: 500,
  annual_price: 5_000,
  max_number_of_projects: 2,
  max_execution_time: 3 * 3_600,
  longest_run: 3_600,
  tier: 'l2' as const,
};

async function createPlansApp() {
  const app = await createTestApp();
  const { ctx, db } = app;
  return {
    ...app,
    create: (over: object = {}) => createPlan(ctx, ratePlanFields.parse({ ...fields, ...over })),
    give: (userId: string, { name }: RatePlan) => db.update(users).set({ plan: name }).where(eq(users.id, userId)),
    me: async (token: string) =>
      (await app.call<Session>('GET', '/v1/me', { token, query: { with_features: 'true', with_roles: 'true' } })).body,
    quota: async (token: string) => (await app.call<Quota>('GET', '/v1/me/quota', { token })).body,
  };
}

test('a plan of the admins’ own limits those who have it, and a change counts at once', async () => {
  const app = await createPlansApp();
  const { id, token } = await app.person();
  const plan = await app.create({
    features: planFeatures.filter((name) => name !== 'teams'),
    details: ['For one class'],
  });
  expect(plan).toMatchObject({ ...fields, cores: 2, is_withdrawn: false, details: ['For one class'] });
  expect((await listPlans(app.ctx)).entries.at(-1)).toEqual(plan);
  await app.give(id, plan);
  expect(await app.quota(token)).toMatchObject({ subscription_total: 10_800, projects_total: 2 });
  expect(await app.me(token)).toMatchObject({
    subscription: { plan: 'Class', is_default: false, projects: 2 },
    compute_features: ['l1', 'l2'],
    features: { teams: { enabled: false, reason: 'no_permissions' }, trade: { enabled: true } },
  });
  expect((await app.call('GET', '/v1/teams', { token })).status).toBe(403);
  await app.project(token);
  await app.project(token);
  expect((await app.call('POST', '/v1/notebooks', { token, body: { name: 'x' } })).status).toBe(403);

  const person = await join(await connect(app, token), topicName(topics.person, { userId: id }));
  await updatePlan(app.ctx, plan.id, {
    max_number_of_projects: null,
    max_execution_time: null,
    features: [...planFeatures],
  });
  expect(await app.quota(token)).toMatchObject({ subscription_total: null, projects_total: null });
  expect((await app.call('GET', '/v1/teams', { token })).status).toBe(200);
  await app.project(token);
  await app.settled();
  expect(await person.event('quota_changed', ({ quota }) => (quota as Quota).projects_total === null)).toBeDefined();
});

test('the roles of a plan are the roles of those who have it', async () => {
  const app = await createPlansApp();
  const { id, token } = await app.person();
  const roleId = newId();
  await app.db
    .insert(roles)
    .values({ id: roleId, name: 'Raters', features: { reports_only: true }, createdAt: new Date() });
  await app.give(id, await app.create({ roles: [roleId] }));
  expect(await app.me(token)).toMatchObject({
    roles: [{ name: 'Raters' }],
    features: { reports_only: { enabled: true } },
  });
  await expect(app.create({ roles: [newId()] })).rejects.toMatchObject({ code: 'unprocessable_entity' });
});

test('a plan that cannot be is refused', async () => {
  const app = await createPlansApp();
  const wrong = [
    { price: 0 },
    { annual_price: null },
    { price: -1 },
    { price: 0.5 },
    { price: 1e12 },
    { title: ' ' },
    { max_number_of_projects: 0 },
    { max_execution_time: 100 },
    { longest_run: -3_600 },
    { tier: 'l4' },
    { features: ['flying'] },
    { name: 'Free' },
  ];
  for (const over of wrong) await expect((async () => app.create(over))(), JSON.stringify(over)).rejects.toThrow();
  const free = await planByName(app.db, 'Free');
  await expect(updatePlan(app.ctx, free.id, { price: 100 })).rejects.toThrow();
  await expect(withdrawPlan(app.ctx, free.id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(updatePlan(app.ctx, newId(), {})).rejects.toMatchObject({ code: 'not_found' });
  expect((await app.db.select().from(ratePlans)).length).toBe(5);
});

test('a withdrawn plan is listed for admins only, and can be offered again', async () => {
  const app = await createPlansApp();
  const plan = await app.create();
  expect(await withdrawPlan(app.ctx, plan.id)).toMatchObject({ is_withdrawn: true });
  expect((await listPlans(app.ctx)).entries).toHaveLength(5);
  expect((await listPlans(app.ctx, { isAll: true })).entries).toHaveLength(6);
  await withdrawPlan(app.ctx, plan.id, { isOffered: true });
  expect((await listPlans(app.ctx)).entries).toHaveLength(6);
});

test('rows from before there were limits get the seeded ones, others stay', async () => {
  const app = await createPlansApp();
  await app.db
    .update(ratePlans)
    .set({ maxProjects: 0, executionHours: 0, longestRunHours: 0, tier: 'l1', features: {} })
    .where(eq(ratePlans.name, 'Pro'));
  await app.db.update(ratePlans).set({ maxProjects: 7 }).where(eq(ratePlans.name, 'Free'));
  await seedPlans(app.ctx);
  expect(await planByName(app.db, 'Pro')).toMatchObject({ maxProjects: 100, executionHours: 200, tier: 'l2' });
  expect(await planByName(app.db, 'Free')).toMatchObject({ maxProjects: 7, executionHours: 10 });
});

test('a plan that is missing includes little, not everything', async () => {
  const app = await createPlansApp();
  const { id, token } = await app.person();
  await app.db.update(users).set({ plan: 'Gone' }).where(eq(users.id, id));
  expect(await app.quota(token)).toMatchObject({ subscription_total: 3_600, projects_total: 1 });
  const { rows } = (await app.db.execute(sql`select 1 from ${users} u where u.plan = 'Gone'`)) as unknown as {
    rows: unknown[];
  };
  expect(rows).toHaveLength(1);
});

test('settings for all plans have values from the start and are changed one by one', async () => {
  const app = await createPlansApp();
  expect((await settingsOf(app.db)).extensionHourPrice).toBe(20);
  await updateSettings(app.ctx, { extension_hour_price: 30 });
  expect(await updateSettings(app.ctx, { welcome_units: 50 })).toMatchObject({
    extension_hour_price: 30,
    welcome_units: 50,
  });
});
