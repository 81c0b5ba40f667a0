import { type DocumentChange, topicName, topics } from '@atoll/contract';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { code, type Fields, fileOf, open, refused, setUp, stdout } from './test/open-notebook.ts';

describe('people', () => {
  test('merge their texts; all other edits wait for the lock, or take it over', async () => {
    const { app, projectId, fileId, send, grant, topic } = await setUp(fileOf([code('a', '1'), code('b', '2')]));
    const bob = await grant(['view', 'view_source', 'edit']);
    const other = await open(app, bob.token, projectId, fileId);
    await send('start_editing_cell', { cell_id: 'a', tag: 'one' });
    expect(await other.topic.event('locks_changed')).toMatchObject({ locks: [{ cell_id: 'a', tag: 'one' }] });
    for (const [event, input] of [
      ['start_editing_cell', { cell_id: 'a' }],
      ['update_cell_source', { cell_id: 'a', source: 'mine' }],
      ['delete_cell', { cell_id: 'a' }],
    ] as const) {
      expect(await refused(other.send(event, input))).toMatchObject({ reason: 'locked' });
    }
    await other.send('update_cell_source', { cell_id: 'b', source: 'mine' });
    await send('update_cell_source', { cell_id: 'a', source: 'x = 1', base: '1' });
    expect(
      await other.send<DocumentChange>('update_cell_source', { cell_id: 'a', source: '1 + 1', base: '1' }),
    ).toMatchObject({ cells: [{ id: 'a', source: 'x = 1 + 1' }] });
    await other.send('start_editing_cell', { cell_id: 'a', takeover: true });
    expect(await refused(send('update_cell_source', { cell_id: 'a', source: 'x' }))).toMatchObject({
      reason: 'locked',
    });
    other.topic.channel.leave();
    await topic.event('locks_changed', ({ locks }) => (locks as object[]).length === 0);
    await send('update_cell_source', { cell_id: 'a', source: 'x' });
  });

  test('may do what their rights and their window allow', async () => {
    const input = { kind: 'number', name: 'n', value: 1, max: 5 };
    const cell = { ...code('i', 'n = 1'), metadata: { atoll: { type: 'input', input } } };
    const { app, ada, projectId, fileId, grant } = await setUp(fileOf([cell, code('a', 'n')]));
    const reader = await open(app, (await grant(['view', 'view_source'])).token, projectId, fileId);
    expect(await reader.read()).toMatchObject({ mode: 'view' });
    const runner = await open(app, (await grant(['view', 'view_source', 'execute'])).token, projectId, fileId);
    expect(runner.topic.response).toMatchObject({ mode: 'input' });
    const inputs = await open(app, ada.token, projectId, fileId, { input_mutation: true });
    const view = await open(app, ada.token, projectId, fileId, { view_only: true });
    for (const each of [reader, view]) {
      expect(await refused(each.send('execute_cell', { cell_id: 'a' }))).toMatchObject({ reason: 'no_permissions' });
      expect(await refused(each.send('set_input', { cell_id: 'i', value: 2 }))).toMatchObject({
        reason: 'no_permissions',
      });
    }
    for (const each of [reader, view, runner, inputs]) {
      const edit = each.send('update_cell_source', { cell_id: 'a', source: 'x' });
      expect(await refused(edit)).toMatchObject({ reason: 'no_permissions' });
    }
    expect(await refused(runner.send('set_input', { cell_id: 'i', value: 9 }))).toMatchObject({
      reason: 'unprocessable_entity',
    });
    expect(await inputs.send<DocumentChange>('set_input', { cell_id: 'i', value: 3 })).toMatchObject({
      cells: [{ id: 'i', source: 'n = 3' }],
    });
  });

  test('receive changes of their rights without joining again', async () => {
    const { app, ada, projectId, fileId, grant, topic, send } = await setUp(fileOf([code('a', '1')]));
    const bob = await grant(['view', 'view_source']);
    const theirs = await open(app, bob.token, projectId, fileId);
    const onlyLooking = await open(app, bob.token, projectId, fileId, { view_only: true });
    const share = async (permissions: string[]) => {
      const answer = await app.share(ada.token, projectId, bob.id, permissions);
      expect(answer.status).toBe(200);
    };
    await share(['view_source', 'execute']);
    expect(await theirs.topic.event('rights_changed')).toEqual({ mode: 'input' });
    await theirs.send('execute_cell', { cell_id: 'a' });
    await share(['view', 'edit', 'execute']);
    expect(await theirs.topic.event('rights_changed', ({ mode }) => mode === 'edit')).toBeDefined();
    await theirs.send('start_editing_cell', { cell_id: 'a' });
    await theirs.send('update_cell_source', { cell_id: 'a', source: '2' });
    await topic.event('locks_changed', ({ locks }) => (locks as object[]).length === 1);

    await share(['view_source']);
    expect(await theirs.topic.event('rights_changed', ({ mode }) => mode === 'view')).toBeDefined();
    // A person who lost the right to write no longer locks the cell for others.
    await topic.event('locks_changed', ({ locks }) => (locks as object[]).length === 0);
    await send('update_cell_source', { cell_id: 'a', source: '3' });
    expect(await refused(theirs.send('update_cell_source', { cell_id: 'a', source: '4' }))).toMatchObject({
      reason: 'no_permissions',
    });
    expect(await onlyLooking.read()).toMatchObject({ mode: 'view' });
    expect(onlyLooking.topic.events.filter(({ event }) => event === 'rights_changed')).toEqual([]);
  });

  test('receive the newest rights last, also when the check of the older change takes longer', async () => {
    const { app, ada, projectId, fileId, grant } = await setUp(fileOf([code('a', '1')]));
    const bob = await grant(['view', 'view_source']);
    const theirs = await open(app, bob.token, projectId, fileId);
    const share = (permissions: string[]) => app.share(ada.token, projectId, bob.id, permissions);
    const { db } = app.database;
    const [looked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const execute = db.execute.bind(db);
    let looks = 0;
    const slowly = (query: SQL) => {
      const asked = execute(query);
      const { params } = new PgDialect().sqlToQuery(query);
      // Bob's rights are read in two steps: whether he may see the project, then his mode.
      if (!params.includes(bob.id) || !params.includes(projectId) || ++looks !== 2) return asked;
      return {
        async execute() {
          const answer = await asked.execute();
          looked.resolve();
          await release.promise;
          return answer;
        },
      };
    };
    Object.assign(db, { execute: slowly });
    // Other tests use the same database afterwards.
    onTestFinished(() => void Object.assign(db, { execute }));
    await share(['view_source', 'execute']);
    await looked.promise;
    await share(['view', 'edit', 'execute']);
    // The second change would be sent within this time if it did not wait for the first.
    for (let round = 0; round < 3; round++) await theirs.read();
    release.resolve();
    const told = () => theirs.topic.events.filter(({ event }) => event === 'rights_changed');
    await expect.poll(() => told().map(({ payload }) => payload)).toEqual([{ mode: 'input' }, { mode: 'edit' }]);
    await theirs.send('start_editing');
  });
});

test('shows one cell elsewhere only to people who may see the source', async () => {
  const { app, ada, projectId, fileId, grant } = await setUp(fileOf([code('a', 'mine()', [stdout('salary 4200')])]));
  const bob = await grant(['view_source']);
  await app.patch(ada.token, `/v1/notebooks/${projectId}`, { visibility: 'public', hides_source: true });
  const seen = async (token: string) => {
    const where = { project_id: projectId, file_id: fileId, mode: 'both' };
    const topic = await join(await connect(app, token), topicName(topics.embeddedCell, { cellId: 'a' }), where);
    return { joined: topic.response, page: await topic.push('fetch_cell_output', {}) };
  };
  expect(JSON.stringify(await seen(bob.token))).toMatch(/mine\(\).*salary 4200/);
  const guest = await app.guest();
  const hidden = await refused(seen(guest.token));
  expect(hidden).toMatchObject({ reason: expect.any(String) });
  expect(JSON.stringify(hidden)).not.toMatch(/mine|salary/);
});

test('shows deleted cells to people who may see the history', async () => {
  const { app, projectId, fileId, grant, send } = await setUp(fileOf([code('a', 'x'), code('b', 'y')]));
  await send('delete_cell', { cell_id: 'a' });
  const [reader, historian] = [await grant(['view_source']), await grant(['view_history'])];
  const bin = async (token: string) => refused((await open(app, token, projectId, fileId)).ask('list_bin'));
  expect(await bin(reader.token)).toMatchObject({ reason: 'no_permissions' });
  expect(await bin(historian.token)).toMatchObject({ answer: { cells: [{ id: 'a' }] } });
});

test('reads and searches the outputs of one cell by pages', async () => {
  const said = Array.from({ length: 250 }, (_, index) => `Line ${index}\n`).join('');
  const picture = { output_type: 'display_data', data: { 'image/png': 'A'.repeat(100_000) }, metadata: {} };
  const result = { output_type: 'execute_result', data: { 'text/plain': 'line of a result' }, metadata: {} };
  const outputs = [{ output_type: 'stream', name: 'stdout', text: said }, picture, { ...result, execution_count: 1 }];
  const { app, ada, projectId, fileId } = await setUp(fileOf([code('a', 'x', outputs)]));
  const where = { project_id: projectId, file_id: fileId };
  const name = topicName(topics.embeddedCell, { cellId: 'a' });
  const topic = await join(await connect(app, ada.token), name, where);
  const page = (input: Fields) => topic.push('fetch_cell_output', input);
  const first = await page({ page_size: 100 });
  expect(first).toMatchObject({ total: 251, outputs: [picture] });
  expect(first.lines).toHaveLength(100);
  expect(await page({ page: 3, page_size: 100 })).toMatchObject({
    lines: expect.arrayContaining([{ number: 251, text: 'line of a result' }]),
    outputs: [],
  });
  expect(await page({ search_query: 'line 24' })).toMatchObject({ total: 11 });
  expect(await page({ search_query: 'a result' })).toMatchObject({ total: 1, lines: [{ number: 251 }] });
  const one = await join(await connect(app, ada.token), name, { ...where, cell_output_index: 1 });
  expect(one.response).toMatchObject({ cell: null, shown: { outputs: [picture] } });
});
