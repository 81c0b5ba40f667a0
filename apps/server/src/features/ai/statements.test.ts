import { scriptedModel } from '@atoll/agent/scripted-server';
import type { RevertedFile } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';
import { aiConversations, aiEvents, aiUsage } from './table.ts';
import { last, refused, scripted, setUp } from './test-conversation.ts';

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

test('models are paid from the wallet by the price table, rounded up once for each conversation and day', async () => {
  const models = await scripted();
  const app = await createTestApp({ env: { ATOLL_AI_DAILY_UNITS: '5' } });
  const [admin, ada] = [await app.person(), await app.person()];
  await app.promote(admin.id);
  const { db } = app.database;
  await db.update(users).set({ balance: 10 }).where(eq(users.id, ada.id));
  const price = { name: scriptedModel, units_per_million_input: 0, units_per_million_output: 100_000 };
  const body = {
    kind: 'openai_compatible',
    name: 'Ours',
    base_url: models.url,
    models: [price],
    is_for_everyone: true,
  };
  await app.call('POST', '/v1/ai/providers', { token: admin.token, body });
  const ask = () =>
    app.post<{ usage: { units: number } }>(ada.token, '/v1/ai/generate', { prompt: `> say ${'x'.repeat(20)}` });
  const balance = async () => (await db.select().from(users).where(eq(users.id, ada.id)))[0]?.balance;
  // 5 tokens are half a unit.
  expect((await ask()).body.usage.units).toBeCloseTo(0.5);
  expect(await balance()).toBe(9);
  await ask();
  expect(await balance()).toBe(9);
  await ask();
  expect(await balance()).toBe(8);
  for (let count = 3; count < 10; count++) await ask();
  const refused = await app.call('POST', '/v1/ai/generate', { token: ada.token, body: { prompt: 'More' } });
  expect([refused.status, refused.body.details]).toEqual([
    403,
    expect.objectContaining({ reason: 'usage_limit_reached' }),
  ]);
  const [usage] = await db.select().from(aiUsage);
  expect(usage).toMatchObject({ chargedUnits: 5 });
  app.clock.advance(24 * 3_600_000);
  await db.update(users).set({ balance: 0 }).where(eq(users.id, ada.id));
  expect((await ask()).status).toBe(403);
});
