import type { Firing, Schedule } from '@atoll/contract';
import { and, eq, lte } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { jobsTable } from '../../platform/jobs/table.ts';
import { createTestApp } from '../../test/test-app.ts';
import { kernelSessions } from '../kernels/table.ts';
import { projectGrants } from '../projects/table.ts';
import { publications } from '../publications/table.ts';
import { runs } from '../runs/table.ts';
import { sweepSchedules } from './service/sweep.ts';
import { scheduleFirings, schedules } from './table.ts';
import {
  type Answer,
  change,
  firings,
  get,
  hour,
  hourly,
  hourlyNotebook,
  type List,
  later,
  projectOf,
  settled,
} from './test-schedules.ts';

test('a file runs each hour, by the clock of the server, in the name of the person who scheduled it', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const place = await projectOf(app, ada.token);
  expect(await get(app, ada.token, place)).toBeNull();
  const made = await change(app, ada.token, place, hourly(app));
  expect(made).toMatchObject({
    status: 200,
    body: {
      schedule: {
        type: 'recurring',
        enabled: true,
        interval_type: 'hour',
        interval_value: 1,
        file: { name: 'main.ipynb' },
        owner: { id: ada.id },
        last_run_at: null,
        last_firing: null,
      },
    },
  });
  const { schedule } = made.body;
  expect(schedule.next_times).toHaveLength(5);
  expect(schedule.next_times[0]).toBe(schedule.next_run_at);
  await settled(app);
  expect((await firings(app, ada.token, schedule)).total).toBe(0);
  for (let turn = 0; turn < 3; turn++) {
    await later(app, hour);
  }
  const came = await firings(app, ada.token, schedule);
  expect(came.entries.map(({ state, scheduled_for }) => [state, scheduled_for])).toEqual(
    schedule.next_times
      .slice(0, 3)
      .map((time) => ['succeeded', time])
      .reverse(),
  );
  const ran = await app.db.select().from(runs);
  expect(ran.map(({ type, starterId, status }) => [type, starterId, status])).toEqual(
    Array(3).fill(['scheduled', ada.id, 'ok']),
  );
  const listed = await app.call<List<Schedule>>('GET', '/v1/schedules', { token: ada.token });
  expect(listed.body).toMatchObject({
    total: 1,
    entries: [{ id: schedule.id, last_firing: { state: 'succeeded' }, failures_in_row: 0 }],
  });
});

test('one that is fired once is over after it', async () => {
  const { app, ada, place, schedule } = await hourlyNotebook(undefined, { type: 'one_off' });
  expect(schedule.next_times).toEqual([schedule.starts_at]);
  await later(app, 2 * hour);
  await later(app, 50 * hour);
  expect((await firings(app, ada.token, schedule)).entries).toMatchObject([{ state: 'succeeded', missed_count: 0 }]);
  expect(await get(app, ada.token, place)).toMatchObject({ enabled: false, next_run_at: null, paused_reason: null });
  const again = await change(app, ada.token, place, { enabled: true });
  expect(again).toMatchObject({ status: 422, body: { fields: { starts_at: ['Must be in the future'] } } });
});

test('times that passed while no server ran are one run, which says how many there were', async () => {
  const { app, ada, place, schedule } = await hourlyNotebook();
  await later(app, 10.5 * hour);
  expect((await firings(app, ada.token, schedule)).entries).toMatchObject([
    { state: 'succeeded', missed_count: 9, scheduled_for: schedule.next_run_at },
  ]);
  const after = await get(app, ada.token, place);
  expect(new Date(after.next_run_at ?? 0).getTime()).toBe(new Date(schedule.starts_at).getTime() + 10 * hour);
});

test('a run that has not ended is not overtaken', async () => {
  const { app, ada, place, schedule } = await hourlyNotebook('while True: pass');
  app.clock.advance(hour);
  await app.app.jobs.settled();
  app.clock.advance(hour);
  await app.app.jobs.settled();
  const came = await firings(app, ada.token, schedule);
  expect(came.entries.map(({ state, reason }) => [state, reason])).toEqual([
    ['skipped', 'The run before it had not ended.'],
    ['running', null],
  ]);
  const now = await app.call('POST', `/v1/schedules/${schedule.id}/run`, { token: ada.token });
  expect(now.status).toBe(409);
  const running = came.entries[1]?.run_id;
  await app.call('DELETE', `/v1/notebooks/${place.id}/runs/${running}`, { token: ada.token });
  await settled(app);
  expect((await firings(app, ada.token, schedule)).entries[1]).toMatchObject({ state: 'failed', reason: 'Stopped.' });
});

test('after three failures in a row it is paused, and its owner is told; saved again, it goes on', async () => {
  const { app, ada, place, schedule } = await hourlyNotebook('1/0');
  for (let turn = 0; turn < 5; turn++) {
    await later(app, hour);
  }
  const came = await firings(app, ada.token, schedule);
  expect(came.entries.map(({ state, reason }) => [state, reason])).toEqual(
    Array(3).fill(['failed', 'ZeroDivisionError: division by zero']),
  );
  const paused = await get(app, ada.token, place);
  expect(paused).toMatchObject({
    enabled: false,
    failures_in_row: 3,
    next_run_at: null,
    next_times: [],
    paused_reason: 'ZeroDivisionError: division by zero',
  });
  expect((await app.notifications(ada.token)).map(({ type }) => type).sort()).toEqual([
    'schedule_failed',
    'schedule_failed',
    'schedule_paused',
  ]);
  const failing = await app.get<List<Schedule>>(ada.token, '/v1/schedules', { state: 'failing' });
  expect(failing.body.total).toBe(1);
  const again = await change(app, ada.token, place, { enabled: true });
  expect(again.body.schedule).toMatchObject({ enabled: true, failures_in_row: 0, paused_reason: null });
  expect(again.body.schedule.next_times).toHaveLength(5);
});

test('run now is the same path, in the name of who asks; the next times stay', async () => {
  const { app, ada, place, schedule } = await hourlyNotebook();
  const bob = await app.person();
  await app.share(ada.token, place.id, bob.id, ['view', 'view_source', 'view_history', 'edit', 'execute']);
  const begun = await app.call<Firing>('POST', `/v1/schedules/${schedule.id}/run`, { token: bob.token });
  expect(begun).toMatchObject({ status: 200, body: { trigger: 'manual', state: 'running' } });
  await settled(app);
  expect((await firings(app, bob.token, schedule)).entries).toMatchObject([{ state: 'succeeded', trigger: 'manual' }]);
  expect(await app.db.select().from(runs)).toMatchObject([{ starterId: bob.id, type: 'scheduled' }]);
  expect((await get(app, ada.token, place)).next_times).toEqual(schedule.next_times);
  // A pause by another person leaves it in its owner's name, any other change does not.
  expect((await change(app, bob.token, place, { enabled: false })).body.schedule.owner.id).toBe(ada.id);
  expect((await change(app, bob.token, place, { enabled: true })).body.schedule).toMatchObject({
    owner: { id: bob.id },
    with_secrets: false,
  });
});

test('who lost the right to run code there does not run it by schedule', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const place = await projectOf(app, ada.token);
  await app.share(ada.token, place.id, bob.id, ['view', 'view_source', 'view_history', 'edit', 'execute']);
  const { schedule } = (await change(app, bob.token, place, hourly(app))).body;
  await app.db.delete(projectGrants).where(eq(projectGrants.userId, bob.id));
  await later(app, hour);
  expect(await app.db.select().from(runs)).toEqual([]);
  expect((await firings(app, ada.token, schedule)).entries).toMatchObject([
    { state: 'failed', reason: 'You may no longer run code in this project.' },
  ]);
  // Its project's owner sees it, pauses it and deletes it; who cannot see the project any more learns nothing of it.
  expect((await app.call<List<Schedule>>('GET', '/v1/schedules', { token: bob.token })).body.total).toBe(0);
  expect((await app.call<List<Schedule>>('GET', '/v1/schedules', { token: ada.token })).body.total).toBe(1);
  expect((await app.call('DELETE', `/v1/schedules/${schedule.id}`, { token: bob.token })).status).toBe(404);
  expect((await app.call('DELETE', `/v1/schedules/${schedule.id}`, { token: ada.token })).status).toBe(200);
  await later(app, hour);
  expect(await get(app, ada.token, place)).toBeNull();
});

test('the schedules of a suspended person rest: no failures, no pause, and they go on afterwards', async () => {
  const { app, ada, schedule } = await hourlyNotebook('while True: pass');
  const admin = await app.admin();
  const act = (what: 'suspend' | 'unsuspend', body: object) =>
    app.call('POST', `/v1/admin/users/${ada.id}/${what}`, { token: admin.token, body });
  app.clock.advance(hour);
  await app.app.jobs.settled();
  const kernel = async () => (await app.db.select().from(kernelSessions))[0]?.state;
  await expect.poll(kernel).toBe('busy');
  await act('suspend', { message: 'Please write to us.' });
  await settled(app);
  for (let turn = 0; turn < 4; turn++) {
    await later(app, hour);
  }
  const [row] = await app.db.select().from(schedules);
  expect(row).toMatchObject({ isEnabled: true, failuresInRow: 0, pausedReason: null });
  // What ran was stopped with the account; nothing has begun since.
  expect(await app.db.select().from(scheduleFirings)).toMatchObject([{ state: 'skipped' }]);
  await act('unsuspend', {});
  await app.settled();
  const after = await app.db.select().from(scheduleFirings).orderBy(scheduleFirings.id);
  expect(after).toMatchObject([{ state: 'skipped' }, { state: 'running', missedCount: 3 }]);
  expect(after[1]?.scheduledFor.getTime()).toBe(new Date(schedule.starts_at).getTime() + hour);
});

test('two servers fire each time once, and one that comes later does what a killed one left', async () => {
  const app = await createTestApp();
  const other = await createTestApp({ beside: { database: app.database, clock: app.clock } });
  const ada = await app.person();
  const places = await Promise.all(Array.from({ length: 5 }, () => projectOf(app, ada.token)));
  for (const place of places) await change(app, ada.token, place, hourly(app));
  app.clock.advance(hour);
  await Promise.all([app.app.jobs.settled(), other.app.jobs.settled()]);
  await settled(app);
  await other.app.relay.settled();
  const fired = await app.db.select().from(runs);
  expect(fired).toHaveLength(5);
  expect(new Set(fired.map(({ projectId }) => projectId)).size).toBe(5);
});

test('a server that is killed at any step of a firing leaves it to another, and nothing happens twice', async () => {
  const { app, ada, schedule } = await hourlyNotebook();
  const { db } = app.database;
  const isFiring = eq(jobsTable.kind, 'schedules.fire');
  /** As a server leaves its jobs that is killed while it does them. */
  const abandon = () =>
    db
      .update(jobsTable)
      .set({ state: 'running', attempts: 1, leaseId: newId(), leaseUntil: new Date(app.clock.time - 1), endedAt: null })
      .where(and(isFiring, lte(jobsTable.dueAt, new Date(app.clock.time))));
  app.clock.advance(hour);
  // Before anything was done.
  await abandon();
  await settled(app);
  const once = async () => {
    expect((await firings(app, ada.token, schedule)).entries).toMatchObject([{ state: 'succeeded' }]);
    expect(await db.select().from(runs)).toHaveLength(1);
  };
  await once();
  // After each of the steps, before that was noted at the job.
  expect(await db.select().from(jobsTable).where(isFiring)).toHaveLength(3);
  await abandon();
  await settled(app);
  await once();
});

test('a clock that was set forward and back, or new rules of a time zone, move the next time and fire nothing twice', async () => {
  const { app, ada, place, schedule } = await hourlyNotebook();
  const { db } = app.database;
  await later(app, 100 * hour);
  app.clock.advance(-99.5 * hour);
  await sweepSchedules(app.ctx);
  expect((await get(app, ada.token, place)).next_run_at).toBe(schedule.next_run_at);
  await later(app, hour);
  expect((await firings(app, ada.token, schedule)).total).toBe(1);
  expect((await get(app, ada.token, place)).next_run_at).toBe(schedule.next_times[1]);
  await db.update(schedules).set({ nextRunAt: new Date(app.clock.time + 30 * hour) });
  await sweepSchedules(app.ctx);
  expect((await get(app, ada.token, place)).next_run_at).toBe(schedule.next_times[1]);
  await later(app, hour);
  expect((await firings(app, ada.token, schedule)).total).toBe(2);
});

test('a publication is run and published again', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const place = await projectOf(app, ada.token);
  const published = await app.patch<{ id: string }>(ada.token, `/v1/publications/files/${place.fileId}`, {
    title: 'Tides',
    access_level: 'public',
  });
  const path = `/v1/publication_schedules/${published.body.id}`;
  const made = await app.call<Answer>('PATCH', path, { token: ada.token, body: { schedule: hourly(app) } });
  expect(made).toMatchObject({ status: 200, body: { schedule: { publication: { title: 'Tides' } } } });
  expect(await get(app, ada.token, place)).toBeNull();
  await later(app, hour);
  expect((await firings(app, ada.token, made.body.schedule)).entries).toMatchObject([{ state: 'succeeded' }]);
  expect(await app.db.select().from(publications)).toMatchObject([{ versionNumber: 2 }]);
});

test('bad settings change nothing', async () => {
  const app = await createTestApp();
  const [ada, eve] = [await app.person(), await app.person()];
  const place = await projectOf(app, ada.token);
  const past = new Date(app.clock.time - 1).toISOString();
  for (const settings of [
    { type: 'one_off', starts_at: past },
    { interval_value: 0 },
    { interval_value: 1.5 },
    { interval_type: 'minute', interval_value: 1 },
    { interval_type: 'fortnight' },
    { allowed_days: [] },
    { allowed_days: ['someday'] },
    { time_zone: 'Mars/Base' },
    { time_zone: '+01:00' },
    { starts_at: '2027-02-29T00:00:00Z' },
    { starts_at: 'tomorrow' },
    { interval_type: 'day', interval_value: 7, starts_at: '2026-11-16T12:00:00Z', allowed_days: ['tue'] },
    { owner: eve.id },
  ])
    expect((await change(app, ada.token, place, settings)).status, JSON.stringify(settings)).toBe(422);
  expect((await change(app, eve.token, place, {})).status).toBe(404);
  expect((await change(app, null, place, {})).status).toBe(401);
  expect(await get(app, ada.token, place)).toBeNull();
  const preview = await app.post(ada.token, '/v1/schedules/preview', {
    schedule: {
      type: 'recurring',
      enabled: true,
      starts_at: '2026-11-15T14:00',
      time_zone: 'Europe/Berlin',
      interval_type: 'day',
      interval_value: 1,
      allowed_days: ['mon', 'fri'],
    },
  });
  expect(preview.body).toEqual({
    next_times: [
      '2026-11-16T13:00:00.000Z',
      '2026-11-20T13:00:00.000Z',
      '2026-11-23T13:00:00.000Z',
      '2026-11-27T13:00:00.000Z',
      '2026-11-30T13:00:00.000Z',
    ],
  });
});
