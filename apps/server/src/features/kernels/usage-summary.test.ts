import type { ServerUsage, UsageSummary } from '@atoll/contract';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp } from '../../test/test-app.ts';
import { addExtension } from '../quota/service/extensions.ts';
import { kernelSessions } from './table.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test('usage is added up by day, tier and project, and costs the price of the time beyond the plan', async () => {
  const app = await createTestApp();
  const [ada, eve] = [await app.person(), await app.person()];
  const project = await app.project(ada.token, { name: 'Tides' });
  const session = async (over: object) => {
    const startedAt = new Date(app.clock.time);
    await app.database.db.insert(kernelSessions).values({
      userId: ada.id,
      projectId: project.id,
      kernel: 'local.python3',
      tier: 'l1',
      purpose: 'run',
      savesFiles: false,
      state: 'ended',
      serverId: newId(),
      hostId: newId(),
      startedAt,
      activeAt: startedAt,
      heartbeatAt: startedAt,
      endedAt: startedAt,
      ...over,
    });
  };
  const now = app.clock.time;
  const ago = (ms: number) => ({ startedAt: new Date(now - ms) });
  await session({ usedMs: 10 * minute });
  await session({ usedMs: 20 * minute, tier: 'l2', projectId: null, extensionMs: 15 * minute, ...ago(day) });
  await session({ usedMs: 5 * minute, ...ago(day) });
  await session({ usedMs: hour, ...ago(40 * day) });
  await session({ usedMs: hour, userId: eve.id, projectId: null });
  const ctx = app.app.system();
  await ctx.write((write) =>
    addExtension(ctx, write, { id: newId(), userId: ada.id, amountMs: 4 * hour, paidUnits: 80 }),
  );
  const summary = async (query: Record<string, string> = {}) =>
    (await app.call<UsageSummary>('GET', '/v1/my_usage/summary', { token: ada.token, query })).body;
  const month = await summary();
  expect(month.total).toEqual({ seconds: 2_100, cost: 5, count: 3 });
  expect(month.days).toHaveLength(30);
  expect(month.days.slice(-3)).toEqual([
    { date: '2026-11-13', seconds: 0, cost: 0, count: 0 },
    { date: '2026-11-14', seconds: 1_500, cost: 5, count: 2 },
    { date: '2026-11-15', seconds: 600, cost: 0, count: 1 },
  ]);
  expect(month.tiers.map(({ tier, seconds, cost }) => [tier, seconds, cost])).toEqual([
    ['l1', 900, 0],
    ['l2', 1_200, 5],
  ]);
  expect(month.projects.map(({ project: of, seconds }) => [of?.name ?? null, seconds])).toEqual([
    [null, 1_200],
    ['Tides', 900],
  ]);
  expect((await summary({ days: '1' })).total.seconds).toBe(600);
  expect((await summary({ days: '60' })).total.seconds).toBe(5_700);
  for (const days of ['0', '367', '1.5', 'x'])
    expect((await app.call('GET', '/v1/my_usage/summary', { token: ada.token, query: { days } })).status).toBe(422);
  const list = await app.call<{ entries: ServerUsage[] }>('GET', '/v1/my_usage', { token: ada.token });
  expect(list.body.entries.map(({ tier, cost }) => [tier, cost])).toContainEqual(['l2', 5]);
  expect((await app.call<UsageSummary>('GET', '/v1/my_usage/summary', { token: eve.token })).body.total.count).toBe(1);
});
