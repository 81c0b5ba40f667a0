import { type Schedule, topicName, topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { storeWritten } from '../files/service/written.ts';
import { fileChanges } from '../files/table.ts';
import { executions } from '../kernels/table.ts';
import { publications } from '../publications/table.ts';
import { runs } from '../runs/table.ts';
import { schedules } from './table.ts';
import { type Answer, change, firings, get, hour, hourly, later, projectOf, settled } from './test-schedules.ts';

const reading = ['view', 'view_source', 'view_history'];

/** Ada's notebook runs each hour with her secrets, and Bob may edit it but neither run nor publish it. */
async function shared() {
  const app = await createTestApp();
  const ada = await app.person();
  const bob = await app.person();
  const secret = { key: 'API_KEY', secret: 'hunter2-hunter2' };
  await app.post(ada.token, '/v1/secrets', secret);
  const place = await projectOf(app, ada.token);
  await app.share(ada.token, place.id, bob.id, [...reading, 'edit']);
  const { schedule } = (await change(app, ada.token, place, hourly(app, { with_secrets: true }))).body;
  const review = (token: string, until: number, id = schedule.id) =>
    app.post<Answer>(token, `/v1/schedules/${id}/review`, { until });
  const ran = () => app.db.select().from(runs);
  return { app, ada, bob, place, schedule, review, ran };
}

async function open(app: TestApp, token: string, { id, fileId }: { id: string; fileId: string }) {
  const address = { projectId: id, fileId };
  const topic = await join(await connect(app, token), topicName(topics.notebook, address), {});
  const send = (event: string, input: object = {}) => topic.push(event, { request_id: crypto.randomUUID(), ...input });
  const edit = (source: string) =>
    send('insert_cell', { after_id: null, cell: { id: crypto.randomUUID(), type: 'code', source, metadata: {} } });
  return { send, edit };
}

const upload = async (app: TestApp, token: string, { id }: { id: string }, name: string) => {
  const { status, body } = await app.createFile(token, id, name, `content of ${name}`);
  expect(status).toBe(200);
  return (body as { id: string }).id;
};
const states = async (app: TestApp, token: string, schedule: Schedule) =>
  (await firings(app, token, schedule)).entries.map(({ state }) => state);

test('what an edit-only colleague wrote is not run in the name of the schedule’s owner until they accept it', async () => {
  const { app, ada, bob, place, schedule, review, ran } = await shared();
  await later(app, hour);
  expect(await states(app, ada.token, schedule)).toEqual(['succeeded']);
  const window = await open(app, bob.token, place);
  await window.edit('import os; print(os.environ)');
  await later(app, 3 * hour);
  expect(await ran()).toHaveLength(1);
  const { entries } = await firings(app, ada.token, schedule);
  expect(entries[0]).toMatchObject({ state: 'stopped', run_id: null });
  expect(entries[0]?.reason).toContain('Others changed what it runs');
  const stopped = await get(app, ada.token, place);
  expect(stopped).toMatchObject({
    enabled: true,
    next_run_at: null,
    failures_in_row: 0,
    review: { is_stopped: true, changes: [{ file: { name: 'main.ipynb' }, user: { id: bob.id } }] },
  });
  expect((await app.notifications(ada.token)).map(({ type }) => type)).toEqual(['schedule_stopped']);
  expect((await app.get<{ total: number }>(ada.token, '/v1/schedules', { state: 'failing' })).body.total).toBe(1);
  // Neither the colleague nor a press on "Run now" makes it go on.
  const until = stopped.review?.until ?? 0;
  expect((await review(bob.token, until)).status).toBe(403);
  app.clock.advance(1);
  expect((await app.post(ada.token, `/v1/schedules/${schedule.id}/run`)).status).toBe(200);
  await settled(app);
  expect(await ran()).toHaveLength(1);
  // Another edit after she has read the list is not accepted with it.
  await window.edit('print("and this")');
  await window.send('save_version');
  const { schedule: again } = (await review(ada.token, until)).body;
  expect(again.review).toMatchObject({ is_stopped: false, changes: [{ user: { id: bob.id } }] });
  await later(app, hour);
  expect(await ran()).toHaveLength(1);
  const newest = (await get(app, ada.token, place)).review?.until ?? 0;
  expect((await review(ada.token, newest)).body.schedule).toMatchObject({ review: null });
  await later(app, hour);
  expect((await states(app, ada.token, schedule))[0]).toBe('succeeded');
  expect(await ran()).toHaveLength(2);
});

test('to open a notebook or to edit it oneself is to have looked at it; outputs are no change', async () => {
  const { app, ada, bob, place, schedule, ran } = await shared();
  const [hers, his] = [await open(app, ada.token, place), await open(app, bob.token, place)];
  await his.edit('print("one")');
  await hers.send('get_notebook');
  await later(app, hour);
  await his.edit('print("two")');
  await hers.edit('print("three")');
  await later(app, hour);
  await hers.send('execute_cell', { cell_id: 'a' });
  await later(app, hour);
  expect(await states(app, ada.token, schedule)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  // Her kernel's outputs do not make his edit hers.
  await his.edit('print("four")');
  await hers.send('execute_cell', { cell_id: 'a' });
  await later(app, hour);
  expect((await states(app, ada.token, schedule))[0]).toBe('stopped');
  expect(await ran()).toHaveLength(3);
});

test('code beside the notebook counts, also by renaming or from a kernel; what its own runs write does not', async () => {
  const { app, ada, bob, place, schedule, review } = await shared();
  const changed = async () => (await get(app, ada.token, place)).review?.changes.map(({ file }) => file.name) ?? [];
  const accept = async () => review(ada.token, (await get(app, ada.token, place)).review?.until ?? 0);
  await upload(app, bob.token, place, 'prices.csv');
  expect(await changed()).toEqual([]);
  await upload(app, bob.token, place, 'helper.py');
  expect(await changed()).toEqual(['helper.py']);
  await accept();
  const mine = await upload(app, ada.token, place, 'old/numpy.py');
  expect(await changed()).toEqual([]);
  const path = `/v1/notebooks/${place.id}/files-contents/${mine}`;
  expect((await app.patch(bob.token, path, { name: 'numpy.py' })).status).toBe(200);
  expect(await changed()).toEqual(['numpy.py']);
  await accept();
  // Several people run code in a kernel of hers.
  const { sha256: blob, size } = await app.ctx.blobs.put((await import('node:stream')).Readable.from(['x']), 10);
  const write = (name: string, session: string) =>
    storeWritten(app.ctx, place.id, ada.id, { saved: [{ path: name, blob, size }], deleted: [] }, session);
  await later(app, hour);
  const [run] = await app.db.select().from(runs);
  await write('by-its-run.py', run?.sessionId ?? '');
  expect(await changed()).toEqual([]);
  await app.db.update(runs).set({ requiredReview: null });
  await write('by-a-kernel.py', run?.sessionId ?? '');
  expect(await changed()).toEqual(['by-a-kernel.py']);
  // An account that is gone stays another one.
  await app.db.update(fileChanges).set({ userId: null }).where(eq(fileChanges.userId, bob.id));
  expect(await states(app, ada.token, schedule)).toEqual(['succeeded']);
});

test('a publication is not published with files of a person who may not publish', async () => {
  const { app, ada, bob, place } = await shared();
  const carol = await app.person();
  await app.share(ada.token, place.id, carol.id, [...reading, 'edit', 'execute', 'publish']);
  const published = await app.patch<{ id: string }>(ada.token, `/v1/publications/files/${place.fileId}`, {
    title: 'Tides',
    access_level: 'public',
  });
  const path = `/v1/publication_schedules/${published.body.id}`;
  await app.patch<Answer>(ada.token, path, { schedule: hourly(app) });
  await upload(app, carol.token, place, 'by-carol.csv');
  await later(app, hour);
  expect(await app.db.select().from(publications)).toMatchObject([{ versionNumber: 2 }]);
  await upload(app, bob.token, place, 'by-bob.csv');
  await (await open(app, bob.token, place)).edit('print("defaced")');
  await later(app, hour);
  expect(await app.db.select().from(publications)).toMatchObject([{ versionNumber: 2 }]);
  const { schedule } = (await app.get<Answer>(ada.token, path)).body;
  expect(schedule.review).toMatchObject({
    is_stopped: true,
    changes: [{ file: { name: 'main.ipynb' } }, { file: { name: 'by-bob.csv' } }],
  });
  // Carol may publish: it runs with her press, and with none of her secrets.
  await app.db.update(schedules).set({ isWithSecrets: true });
  app.clock.advance(1);
  expect((await app.post(carol.token, `/v1/schedules/${schedule.id}/run`)).status).toBe(200);
  await settled(app);
  expect(await app.db.select().from(publications)).toMatchObject([{ versionNumber: 3 }]);
  const hers = await app.db.select().from(runs).where(eq(runs.starterId, carol.id));
  expect(hers).toMatchObject([{ isWithSecrets: false }]);
});

test('what is changed while the kernel starts is met before the first cell', async () => {
  const { app, ada, bob, place, schedule } = await shared();
  const host = await app.ctx.kernels.host();
  const { open: openKernel } = host;
  Object.assign(host, {
    open: async (...input: Parameters<typeof openKernel>) => {
      await upload(app, bob.token, place, 'numpy.py');
      return openKernel(...input);
    },
  });
  await later(app, hour);
  Object.assign(host, { open: openKernel });
  expect(await app.db.select().from(executions)).toEqual([]);
  expect(await states(app, ada.token, schedule)).toEqual(['stopped']);
});
