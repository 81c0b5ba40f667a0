import { asc, eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createTestApp } from '../../test/test-app.ts';
import { newId } from '../db/columns.ts';
import { createLog } from '../log.ts';
import { topicPositions } from '../realtime/table.ts';
import { type AnyJob, defineJob, JobFailure, type JobSchedule } from './definition.ts';
import { cancelJob, enqueue, retryJob } from './enqueue.ts';
import { nextTime } from './schedules.ts';
import { jobSchedules, jobsTable } from './table.ts';
import { Jobs, sweepJobs } from './worker.ts';

const minute = 60_000;
const payload = z.object({ name: z.string() });

/** A database and any number of servers on it that run these jobs. */
async function withJobs(definitions: AnyJob[], schedules: Record<string, JobSchedule> = {}) {
  const { app, database, clock } = await createTestApp();
  await app.jobs.stop();
  const now = () => new Date(clock.time);
  const { db } = database;
  const server = async () => {
    const jobs = new Jobs({
      db,
      log: createLog({ level: 'silent', pretty: false }),
      now,
      definitions,
      schedules,
      context: () => app.system(),
      messagesFor: () => [],
    });
    await jobs.start();
    onTestFinished(() => jobs.stop());
    return jobs;
  };
  return {
    app,
    db,
    clock,
    now,
    server,
    put: <Payload>(
      job: Parameters<typeof enqueue<Payload>>[2],
      given: Payload,
      options?: Parameters<typeof enqueue>[4],
    ) => db.transaction((tx) => enqueue(tx, now(), job, given, options)),
    rows: () => db.select().from(jobsTable).orderBy(asc(jobsTable.createdAt), asc(jobsTable.id)),
    row: async (id: string) => (await db.select().from(jobsTable).where(eq(jobsTable.id, id)))[0],
  };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('the job queue', () => {
  test('runs jobs by priority and in order, step by step, and keeps their rows', async () => {
    const seen: string[] = [];
    const job = defineJob({
      kind: 'test.steps',
      payload: z.object({ name: z.string(), left: z.int() }),
      concurrency: 1,
      async run({ payload: { name, left } }) {
        seen.push(`${name}${left}`);
        if (left > 0) return { name, left: left - 1 };
      },
    });
    const { put, server, rows } = await withJobs([job]);
    await put(job, { name: 'a', left: 1 });
    await put(job, { name: 'b', left: 0 }, { priority: 5 });
    await (await server()).settled();
    expect(seen).toEqual(['b0', 'a1', 'a0']);
    expect((await rows()).map(({ state, endedAt }) => [state, endedAt !== null])).toEqual([
      ['succeeded', true],
      ['succeeded', true],
    ]);
  });

  test('rejects a payload that does not match its kind', async () => {
    const job = defineJob({ kind: 'test.typed', payload, concurrency: 1, run: async () => {} });
    const { put, rows } = await withJobs([job]);
    await expect(put(job, { name: 3 as never })).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });

  test('keeps one job per key until it has ended', async () => {
    const job = defineJob({ kind: 'test.once', payload, concurrency: 1, run: async () => {} });
    const { put, server, rows } = await withJobs([job]);
    const [one, other] = [await put(job, { name: 'a' }, { key: 'k' }), await put(job, { name: 'b' }, { key: 'k' })];
    expect(other).toBe(one);
    await (await server()).settled();
    expect(await put(job, { name: 'c' }, { key: 'k' })).not.toBe(one);
    expect(await rows()).toHaveLength(2);
  });

  test('runs once more a job that is enqueued again while it runs, and only then', async () => {
    const steps = [gate(), gate(), gate()];
    let runs = 0;
    const job = defineJob({
      kind: 'test.again',
      payload,
      concurrency: 1,
      async run() {
        await steps[runs++]?.opened;
      },
    });
    const { put, server, row } = await withJobs([job]);
    const again = () => put(job, { name: 'a' }, { key: 'k', runsAgain: true });
    const id = await again();
    // It has not begun yet, so it will see the newest data.
    expect(await again()).toBe(id);
    const jobs = await server();
    jobs.nudge();
    await expect.poll(() => runs).toBe(1);
    expect([await again(), await again()]).toEqual([id, id]);
    steps[0]?.open();
    await expect.poll(() => runs).toBe(2);
    expect(await row(id)).toMatchObject({ state: 'running', attempts: 1, endedAt: null });
    steps[1]?.open();
    await jobs.settled();
    expect(await row(id)).toMatchObject({ state: 'succeeded', endedAt: expect.any(Date) });
    expect(runs).toBe(2);
    expect(await again()).not.toBe(id);
  });

  test('respects the limits of a kind and of an owner over two servers', async () => {
    const owners = [newId(), newId()];
    const running: (string | null)[] = [];
    let most = 0;
    const gates: ReturnType<typeof gate>[] = [];
    const job = defineJob({
      kind: 'test.limits',
      payload,
      concurrency: 3,
      perOwner: 2,
      async run({ ownerId }) {
        running.push(ownerId);
        most = Math.max(most, running.length);
        const mine = gate();
        gates.push(mine);
        await mine.opened;
        running.splice(running.indexOf(ownerId), 1);
      },
    });
    const { put, server } = await withJobs([job]);
    for (let count = 0; count < 6; count++) await put(job, { name: 'a' }, { ownerId: owners[0] });
    for (let count = 0; count < 3; count++) await put(job, { name: 'b' }, { ownerId: owners[1] });
    const servers = [await server(), await server()];
    for (const each of servers) each.nudge();
    await expect.poll(() => running.length).toBe(3);
    expect(running.filter((owner) => owner === owners[0])).toHaveLength(2);
    for (let done = 0; done < 9; done++) {
      await expect.poll(() => gates.length).toBeGreaterThan(0);
      gates.shift()?.open();
    }
    await Promise.all(servers.map((each) => each.settled()));
    expect(most).toBe(3);
  });

  test('retries with growing delays, then keeps the reason', async () => {
    let tries = 0;
    const job = defineJob({
      kind: 'test.fails',
      payload,
      concurrency: 1,
      attempts: 3,
      async run() {
        tries++;
        throw new Error('No route to the harbour');
      },
    });
    const { put, server, row, clock, db, now } = await withJobs([job]);
    const id = await put(job, { name: 'a' });
    const jobs = await server();
    for (let round = 0; round < 5; round++) {
      await jobs.settled();
      clock.advance(minute);
    }
    expect(tries).toBe(3);
    expect(await row(id)).toMatchObject({ state: 'failed', reason: 'No route to the harbour' });
    expect(await db.transaction((tx) => retryJob(tx, now(), id))).toBe(true);
    await jobs.settled();
    expect(tries).toBe(4);
  });

  test('does not retry a job that cannot succeed', async () => {
    let tries = 0;
    const job = defineJob({
      kind: 'test.refused',
      payload,
      concurrency: 1,
      async run() {
        tries++;
        throw new JobFailure('The project was deleted.');
      },
    });
    const { put, server, row, clock } = await withJobs([job]);
    const id = await put(job, { name: 'a' });
    const jobs = await server();
    await jobs.settled();
    clock.advance(60 * minute);
    await jobs.settled();
    expect(tries).toBe(1);
    expect(await row(id)).toMatchObject({ state: 'failed', reason: 'The project was deleted.' });
  });

  test('writes once, though a slow server continues after another has taken its job', async () => {
    const slow = gate();
    const begun = gate();
    let attempts = 0;
    const job = defineJob({
      kind: 'test.effect',
      payload,
      concurrency: 1,
      async run({ finish, attempt }) {
        attempts = attempt;
        if (attempt === 1) {
          begun.open();
          await slow.opened;
        }
        await finish(async ({ tx }) => {
          await tx.insert(topicPositions).values({ topic: `effect ${attempt}`, position: 1 });
        });
      },
    });
    const { put, server, row, clock, db } = await withJobs([job]);
    const id = await put(job, { name: 'a' });
    const first = await server();
    first.nudge();
    await begun.opened;
    // The clock advances as if the first server had been stopped for two minutes.
    clock.advance(2 * minute);
    await (await server()).settled();
    slow.open();
    await first.settled();
    expect(attempts).toBe(2);
    const effects = await db.select().from(topicPositions);
    expect(effects.map(({ topic }) => topic).filter((topic) => topic.startsWith('effect'))).toEqual(['effect 2']);
    expect(await row(id)).toMatchObject({ state: 'succeeded' });
  });

  test('continues after the clock was set back: jobs left over, to be retried or just enqueued', async () => {
    const done: string[] = [];
    const job = defineJob({
      kind: 'test.back',
      payload,
      concurrency: 9,
      run: async ({ payload: { name } }) => void done.push(name),
    });
    const { put, server, clock, db, now } = await withJobs([job]);
    const later = new Date(clock.time + 60 * minute);
    const wanted = await put(job, { name: 'wanted' }, { dueAt: later });
    clock.advance(24 * 60 * minute);
    const [left, again] = [await put(job, { name: 'left' }), await put(job, { name: 'again' })];
    await put(job, { name: 'put' });
    const lost = {
      state: 'running' as const,
      attempts: 1,
      leaseId: newId(),
      leaseUntil: new Date(clock.time + minute),
    };
    await db.update(jobsTable).set(lost).where(eq(jobsTable.id, left));
    const failed = { attempts: 1, startedAt: now(), dueAt: new Date(clock.time + minute) };
    await db.update(jobsTable).set(failed).where(eq(jobsTable.id, again));
    clock.advance(-24 * 60 * minute);
    const jobs = await server();
    await jobs.settled();
    // A live server has the time of a lease to renew it.
    expect(done.toSorted()).toEqual(['again', 'put']);
    clock.advance(minute + 1);
    await jobs.settled();
    expect(done).toContain('left');
    expect(done).not.toContain('wanted');
    await db.update(jobsTable).set({ dueAt: now() }).where(eq(jobsTable.id, wanted));
    await jobs.settled();
    expect(done).toHaveLength(4);
  });

  test('gives up a job that stops its server again and again', async () => {
    const job = defineJob({ kind: 'test.poison', payload, concurrency: 1, attempts: 2, run: async () => {} });
    const { put, server, row, clock, db } = await withJobs([job]);
    const id = await put(job, { name: 'a' });
    const lost = { state: 'running' as const, attempts: 2, leaseId: newId(), leaseUntil: new Date(clock.time - 1) };
    await db.update(jobsTable).set(lost).where(eq(jobsTable.id, id));
    await (await server()).settled();
    const jobs = await server();
    jobs.nudge();
    await expect.poll(async () => (await row(id))?.state).toBe('failed');
    expect((await row(id))?.reason).toBe('The server stopped while doing it.');
  });

  test('cancels a queued job at once and a running one as soon as it writes', async () => {
    const begun = gate();
    const go = gate();
    const job = defineJob({
      kind: 'test.cancel',
      payload,
      concurrency: 1,
      async run({ write }) {
        begun.open();
        await go.opened;
        await write(
          async ({ tx }) => void (await tx.insert(topicPositions).values({ topic: 'canceled', position: 1 })),
        );
      },
    });
    const { put, server, row, db, now } = await withJobs([job]);
    const [running, queued] = [await put(job, { name: 'a' }), await put(job, { name: 'b' })];
    const jobs = await server();
    jobs.nudge();
    await begun.opened;
    for (const id of [running, queued])
      expect(await db.transaction((tx) => cancelJob(tx, now(), id, 'Canceled by Ada.'))).toBe(true);
    expect(await row(queued)).toMatchObject({ state: 'canceled', reason: 'Canceled by Ada.' });
    go.open();
    await jobs.settled();
    expect(await row(running)).toMatchObject({ state: 'canceled', reason: 'Canceled by Ada.' });
    expect((await db.select().from(topicPositions)).map(({ topic }) => topic)).not.toContain('canceled');
    expect(await db.transaction((tx) => cancelJob(tx, now(), running, 'Again'))).toBe(false);
  });

  test('releases its running job when its server stops', async () => {
    const begun = gate();
    const job = defineJob({
      kind: 'test.stopped',
      payload,
      concurrency: 1,
      async run({ signal, attempt }) {
        if (attempt > 1) return;
        begun.open();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const { put, server, row } = await withJobs([job]);
    const id = await put(job, { name: 'a' });
    const jobs = await server();
    jobs.nudge();
    await begun.opened;
    await jobs.stop();
    expect(await row(id)).toMatchObject({ state: 'queued', attempts: 0 });
  });

  test('deletes ended jobs after a while, failed ones later', async () => {
    const job = defineJob({ kind: 'test.kept', payload, concurrency: 1, run: async () => {} });
    const { put, server, rows, clock, db, now } = await withJobs([job]);
    await put(job, { name: 'a' });
    const failed = await put(job, { name: 'b' });
    await (await server()).settled();
    await db.update(jobsTable).set({ state: 'failed' }).where(eq(jobsTable.id, failed));
    clock.advance(25 * 60 * minute);
    await sweepJobs(db, now());
    expect((await rows()).map(({ id }) => id)).toEqual([failed]);
    clock.advance(31 * 24 * 60 * minute);
    await sweepJobs(db, now());
    expect(await rows()).toEqual([]);
  });
});

describe('schedules of features', () => {
  const job = defineJob({ kind: 'test.regular', payload: z.object({}), concurrency: 1, run: async () => {} });

  test('fire once for each time, on one of the servers, and once for all missed times', async () => {
    const schedules = { nightly: { cron: '0 3 * * *', job, payload: {} } };
    const { server, rows, clock } = await withJobs([job], schedules);
    const servers = [await server(), await server()];
    const settle = () => Promise.all(servers.map((each) => each.settled()));
    await settle();
    expect(await rows()).toHaveLength(0);
    clock.time = Date.UTC(2026, 10, 16, 3, 0, 1);
    await settle();
    await settle();
    expect(await rows()).toHaveLength(1);
    clock.time = Date.UTC(2026, 10, 20, 12);
    await settle();
    expect(await rows()).toHaveLength(2);
  });

  test('begin soon after the start where they request it, and are deleted with their feature', async () => {
    const schedules = { tidy: { cron: '0 * * * *', isRunAtStart: true, job, payload: {} } };
    const { server, rows, clock, db } = await withJobs([job], schedules);
    await db.insert(jobSchedules).values({ name: 'gone', nextAt: new Date(clock.time) });
    const jobs = await server();
    expect((await db.select().from(jobSchedules)).map(({ name }) => name)).toEqual(['tidy']);
    clock.advance(2 * minute);
    await jobs.settled();
    expect(await rows()).toHaveLength(1);
  });

  test('are due again after the clock was set back', async () => {
    const schedules = { nightly: { cron: '0 3 * * *', job, payload: {} } };
    const { server, rows, clock, db } = await withJobs([job], schedules);
    await db.insert(jobSchedules).values({ name: 'nightly', nextAt: new Date(Date.UTC(2027, 0, 1, 3)) });
    const jobs = await server();
    await jobs.settled();
    expect(await rows()).toHaveLength(0);
    clock.time = Date.UTC(2026, 10, 16, 3, 0, 1);
    await jobs.settled();
    expect(await rows()).toHaveLength(1);
  });

  test('follow their time zone over the change to summer time', () => {
    const at = (cron: string, after: string) =>
      nextTime({ cron, timezone: 'Europe/Oslo' }, new Date(after)).toISOString();
    expect(at('0 9 * * *', '2026-03-28T12:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
    expect(at('0 9 * * *', '2026-10-24T12:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
  });
});
