import { topicName, topics } from '@atoll/contract';
import { asc } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { connect, type JoinedTopic, JoinRefused, join } from '../../test/realtime-client.ts';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { kernelSessions } from '../kernels/table.ts';
import { runs } from '../runs/table.ts';
import { notebookJobs } from './table.ts';

async function setUp({ hasSecret = false } = {}) {
  const app = await createTestApp();
  const ada = await app.person();
  if (hasSecret) {
    await app.call('POST', '/v1/secrets', { token: ada.token, body: { key: 'API_KEY', secret: 'hunter2-hunter2' } });
  }
  const project = await app.notebookProject(ada.token, [code('print("x")', 'a')]);
  const address = { projectId: project.id, fileId: project.fileId };
  const share = async (permissions: string[]) => {
    const person = await app.person();
    expect((await app.share(ada.token, project.id, person.id, permissions)).status).toBe(200);
    return person;
  };
  const addFile = async (token: string, name: string) => {
    const { status } = await app.call('POST', `/v1/notebooks/${project.id}/files-contents`, { token, body: { name } });
    expect(status).toBe(200);
    await app.deliveredMails();
  };
  /** Sorted by their end, then those without one, because by the test's clock they begin at the same moment. */
  const sessions = () => app.database.db.select().from(kernelSessions).orderBy(asc(kernelSessions.endedAt));
  return { app, ada, project, address, share, addFile, sessions, ...(await open(app, ada.token, address)) };
}

async function open(app: TestApp, token: string, address: { projectId: string; fileId: string }) {
  const topic = await join(await connect(app, token), topicName(topics.notebook, address), {});
  const send = (event: string, input: object = {}) => topic.push(event, { request_id: crypto.randomUUID(), ...input });
  return { topic, send };
}

const executed = (topic: JoinedTopic) => topic.events.filter(({ event }) => event === 'cell_executed');
const runsSeen = (topic: JoinedTopic, count: number) => expect.poll(() => executed(topic).length).toBe(count);

test('runs a notebook after a change of files in the name of the person who made it, if they may run code', async () => {
  const { app, address, share, addFile, send, topic, ada } = await setUp();
  const [editor, runner] = [await share(['edit']), await share(['edit', 'execute'])];
  const window = await open(app, editor.token, address);
  const turnedOn = window.send('toggle_autorun_after_files_updated', { is_enabled: true });
  await expect(turnedOn).rejects.toBeInstanceOf(JoinRefused);
  await send('toggle_autorun_after_files_updated', { is_enabled: true });
  await send('execute_cell', { cell_id: 'a' });
  await runsSeen(topic, 1);

  await addFile(editor.token, 'by-editor.csv');
  expect(await app.database.db.select().from(notebookJobs)).toEqual([]);
  expect(executed(topic)).toHaveLength(1);

  await addFile(runner.token, 'by-runner.csv');
  await runsSeen(topic, 2);
  await app.suspend(runner.id, 'Away');
  await addFile(ada.token, 'by-owner.csv');
  await runsSeen(topic, 3);
  expect(executed(topic).map(({ payload }) => (payload.execution as { user: { id: string } }).user.id)).toEqual([
    ada.id,
    runner.id,
    ada.id,
  ]);
});

test('gives a kernel its owner’s secrets only while no one else may write or run code', async () => {
  const { share, send, topic, sessions } = await setUp({ hasSecret: true });
  await share(['view', 'view_source']);
  await send('execute_cell', { cell_id: 'a' });
  await runsSeen(topic, 1);
  expect(await sessions()).toMatchObject([{ hasSecrets: true, endedAt: null }]);
  await share(['edit']);
  await expect.poll(async () => (await sessions())[0]).toMatchObject({ endReason: 'shared' });
  expect((await sessions())[0]?.endMessage).toContain('secrets');
  await send('execute_cell', { cell_id: 'a' });
  await runsSeen(topic, 2);
  expect(await sessions()).toMatchObject([{ hasSecrets: true }, { hasSecrets: false, endedAt: null }]);
});

test('ends a kernel of an earlier owner with the transfer', async () => {
  const { app, ada, project, send, topic, sessions } = await setUp({ hasSecret: true });
  await send('execute_cell', { cell_id: 'a' });
  await runsSeen(topic, 1);
  const heir = await app.person();
  await app.handOver(ada, heir, project.id);
  await expect
    .poll(async () => (await sessions())[0])
    .toMatchObject({
      endReason: 'stopped',
      endMessage: 'It was stopped because the project has a new owner.',
    });
});

test('runs a kernel with secrets by itself only where its owner enabled that', async () => {
  const { app, ada, project, address, share, addFile, send, topic } = await setUp({ hasSecret: true });
  const colleague = await share(['edit', 'execute']);
  const window = await open(app, colleague.token, address);
  await window.send('toggle_autorun_after_files_updated', { is_enabled: true });
  const { body } = await app.get<{ entries: { id: string }[] }>(
    ada.token,
    `/v1/notebooks/${project.id}/user_permissions`,
  );
  await app.call('DELETE', `/v1/notebooks/${project.id}/user_permissions/${body.entries[0]?.id}`, { token: ada.token });
  await send('execute_cell', { cell_id: 'a' });
  await runsSeen(topic, 1);
  await addFile(ada.token, 'one.csv');
  expect(await app.database.db.select().from(notebookJobs)).toEqual([]);
  await send('toggle_autorun_after_files_updated', { is_enabled: true });
  await addFile(ada.token, 'two.csv');
  await runsSeen(topic, 2);
});

test('gives a run of a shared project secrets only on request of its starter', async () => {
  const { app, ada, project, share, sessions } = await setUp({ hasSecret: true });
  await share(['edit']);
  const start = async (body: object) => {
    await app.call('POST', `/v1/notebooks/${project.id}/runs`, { token: ada.token, body });
    await expect.poll(async () => (await app.database.db.select().from(runs)).every((run) => run.endedAt)).toBe(true);
    const [newest] = (await app.database.db.select().from(runs)).sort((one, other) => other.number - one.number);
    return newest;
  };
  expect((await start({}))?.notices[0]).toContain('secrets were left out');
  expect((await start({ with_secrets: true }))?.notices).toEqual([]);
  expect((await sessions()).map(({ hasSecrets }) => hasSecrets)).toEqual([false, true]);
});
