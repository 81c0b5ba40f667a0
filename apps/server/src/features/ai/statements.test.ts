import { scriptedModel } from '@atoll/agent/scripted-server';
import type { RevertedFile } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';
import { releaseExpired, wrongReservations } from '../wallet/service/reservations.ts';
import { runnerOf } from './service/runner.ts';
import { aiConversations, aiEvents, aiUsage } from './table.ts';
import { cells, enter, last, refused, scripted, setUp } from './test-conversation.ts';

/** What is written as SQL, and so on the embedded database too. */

test('a model is told of the newest turns of a long conversation; its first snapshot is still there', async () => {
  const { app, say, models, document, send, history } = await setUp();
  const { id } = await say('Oldest\n> say One');
  const { db } = app.database;
  const log = await db.select().from(aiEvents).where(eq(aiEvents.conversationId, id)).orderBy(aiEvents.seq);
  const turn = log.filter(({ kind }) => kind === 'message_sent' || kind === 'final_message');
  const more = Array.from({ length: 200 }, (_, index) =>
    turn.map((event, at) => ({
      ...event,
      seq: log.length + 1 + 2 * index + at,
      payload: { ...event.payload, text: `Later ${index}`, snapshot: 1_000 + index },
    })),
  ).flat();
  await db.insert(aiEvents).values(more);
  const lastSeq = log.length + more.length;
  await db.update(aiConversations).set({ lastSeq, lastSnapshot: 2_000 }).where(eq(aiConversations.id, id));
  expect(last(await say('> say Two'))).toMatchObject({ text: 'Two' });
  const sent = JSON.stringify(models.requests.at(-1)?.body.messages);
  expect(sent).toContain('Later 199');
  expect(sent).not.toContain('Oldest');
  expect(await document.push('get_snapshot_changes', { snapshot: 1 })).toEqual({ files: [] });
  await send('revert_to_snapshot', { snapshot: 1, mode: 'conversation' });
  expect(last(await history())).toMatchObject({ to_seq: 2 });
});

test('snapshots bring back files, the conversation, or both; later work of people is shown and left alone', async () => {
  const { app, ada, address, send, say, document, history } = await setUp();
  const sources = async () =>
    ((await document.push('get_notebook', {})) as unknown as { cells: { source: string }[] }).cells.map(
      ({ source }) => source,
    );
  await send('update_ai_configuration', { policies: { insert_cell: 'always', delete_cell: 'always' } });
  await say('> call delete_cell {"cell_id": "cell-1"}\n> then\n> say One');
  await say('> call insert_cell {"source": "new"}\n> then\n> say Two');
  expect(await sources()).toEqual(['x = 2', 'new']);
  const [first, second] = (await history()).events
    .filter(({ kind }) => kind === 'message_sent')
    .map(({ payload }) => (payload as { snapshot: number }).snapshot);
  const changes = (await document.push('get_snapshot_changes', { snapshot: second })) as { files: RevertedFile[] };
  expect(changes.files).toMatchObject([{ path: 'main.ipynb', change: 'restored', is_later: false }]);
  await send('revert_to_snapshot', { snapshot: second, mode: 'both' });
  expect(await sources()).toEqual(['x = 2']);
  const reverted = await history();
  expect(last(reverted)).toMatchObject({ mode: 'both', paths: ['main.ipynb'] });
  // A person goes on in the notebook, and adds a file of their own.
  await send('insert_cell', { cell: { id: 'own', source: 'mine' }, after_id: null });
  await app.createFile(ada.token, address.projectId, 'own.csv', 'a,b');
  const later = (await document.push('get_snapshot_changes', { snapshot: first })) as { files: RevertedFile[] };
  expect(later.files.map(({ path, change, is_later }) => [path, change, is_later]).sort()).toEqual([
    ['main.ipynb', 'restored', true],
    ['own.csv', 'deleted', true],
  ]);
  await send('revert_to_snapshot', { snapshot: first, mode: 'files' });
  expect(await sources()).toEqual(['mine', 'x = 2']);
  await send('revert_to_snapshot', { snapshot: first, mode: 'files', later_file_ids: [address.fileId] });
  expect(await sources()).toEqual(['print("one")', 'x = 2']);
  expect(await refused(send('revert_to_snapshot', { snapshot: 999 }))).toHaveProperty('reason');
});

/** With a model that everyone pays for by what it writes, and a person with units. */
async function setUpPaid({
  perToken,
  balance,
  env = {},
}: {
  perToken: number;
  balance: number;
  env?: Record<string, string>;
}) {
  const models = await scripted();
  const app = await createTestApp({ env: { ATOLL_UNBOUNDED: 'on', ...env } });
  const [admin, ada] = [await app.person(), await app.person()];
  await app.promote(admin.id);
  const { db } = app.database;
  await db.update(users).set({ balance }).where(eq(users.id, ada.id));
  const price = { name: scriptedModel, units_per_million_input: 0, units_per_million_output: perToken * 1_000_000 };
  const fields = { kind: 'openai_compatible', name: 'Ours', base_url: models.url, is_for_everyone: true };
  await app.call('POST', '/v1/ai/providers', { token: admin.token, body: { ...fields, models: [price] } });
  const ask = (tokens: number, at: Pick<typeof app, 'post'> = app) =>
    at.post<{ usage: { units: number }; details?: object; message?: string }>(ada.token, '/v1/ai/generate', {
      prompt: `> say ${'x'.repeat(4 * tokens)}`,
    });
  const wallet = async () => {
    const [row] = await db.select().from(users).where(eq(users.id, ada.id));
    return { balance: row?.balance, reserved: row?.reservedUnits };
  };
  const spent = async () => (await db.select().from(aiUsage)).reduce((sum, { units }) => sum + units, 0);
  return { app, ada, db, models, ask, wallet, spent };
}

test('models are paid from the wallet by the price table, rounded up once for each conversation and day', async () => {
  const { app, ada, db, ask, wallet } = await setUpPaid({
    ...{ perToken: 0.1, balance: 10 },
    env: { ATOLL_AI_DAILY_UNITS: '5' },
  });
  expect((await ask(5)).body.usage.units).toBeCloseTo(0.5);
  expect(await wallet()).toEqual({ balance: 9, reserved: 0 });
  await ask(5);
  expect(await wallet()).toEqual({ balance: 9, reserved: 0 });
  await ask(5);
  expect(await wallet()).toEqual({ balance: 8, reserved: 0 });
  for (let count = 3; count < 10; count++) await ask(5);
  const refused = await app.call('POST', '/v1/ai/generate', { token: ada.token, body: { prompt: 'More' } });
  expect([refused.status, refused.body.details]).toEqual([
    403,
    expect.objectContaining({ reason: 'usage_limit_reached' }),
  ]);
  const [usage] = await db.select().from(aiUsage);
  expect(usage).toMatchObject({ chargedUnits: 5 });
  app.clock.advance(24 * 3_600_000);
  await db.update(users).set({ balance: 0 }).where(eq(users.id, ada.id));
  expect((await ask(5)).status).toBe(403);
});

test('30 calls at once on two servers spend no more than the balance', async () => {
  const { app, ask, wallet, spent, models } = await setUpPaid({ perToken: 0.06, balance: 2 });
  const second = await createTestApp({ beside: app });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(2_100, index % 2 ? second : app)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([200, 403]));
  expect(await spent()).toBeLessThanOrEqual(2);
  expect(await spent()).toBeGreaterThan(1.9);
  expect(await wallet()).toEqual({ balance: 0, reserved: 0 });
  expect(models.requests.map(({ body }) => body.max_tokens)).toEqual([33]);
});

test('reserved units cannot be spent on anything else, and come back when the server that reserved them is gone', async () => {
  const { app, ada, ask, wallet, models, db } = await setUpPaid({ perToken: 0.06, balance: 2 });
  const { id: projectId, fileId } = await app.notebookProject(ada.token, cells('x = 1'));
  const { send } = await enter(app, ada.token, { projectId, fileId });
  await send('send_message', { text: '> slow 100000\n> say One two' });
  await vi.waitFor(() => expect(models.requests).toHaveLength(1));
  expect(await wallet()).toEqual({ balance: 2, reserved: 2 });
  expect((await app.call('GET', '/v1/wallet', { token: ada.token })).body).toMatchObject({ balance: 2, reserved: 2 });
  expect(await ask(10)).toMatchObject({ status: 403, body: { message: expect.stringContaining('in progress') } });
  const transfer = await app.post(ada.token, '/v1/wallet/transfer', { amount: -1 });
  expect(transfer).toMatchObject({ status: 403, body: { details: { needed: 1, balance: 0 } } });
  // Its answer never ends here, and nothing is stored of it.
  await runnerOf(app.app.system()).stop();
  expect(await wallet()).toEqual({ balance: 2, reserved: 2 });
  expect(await wrongReservations(db)).toEqual([]);
  app.clock.advance(11 * 60_000);
  await releaseExpired(app.ctx);
  expect(await wallet()).toEqual({ balance: 2, reserved: 0 });
  expect((await ask(10)).status).toBe(200);
});

test('an answer that fails costs nothing; one that is longer than what is left is cut', async () => {
  const { app, ada, ask, wallet, db } = await setUpPaid({ perToken: 0.06, balance: 2 });
  const failed = await app.post(ada.token, '/v1/ai/generate', { prompt: '> fail 503 9' });
  expect(failed.status).toBe(503);
  expect(await wallet()).toEqual({ balance: 2, reserved: 0 });
  const { id: projectId, fileId } = await app.notebookProject(ada.token, cells('x = 1'));
  const { say } = await enter(app, ada.token, { projectId, fileId });
  expect(last(await say(`> say ${'x'.repeat(1_000)}`))).toMatchObject({
    text: expect.stringMatching(/^x{132}\n\n\(The answer ends here/),
  });
  expect(await wallet()).toEqual({ balance: 0, reserved: 0 });
  expect((await ask(10)).body.message).toContain('no units left');
  expect(await wrongReservations(db)).toEqual([]);
});
