import { topicName, topics } from '@atoll/contract';
import { Presence } from 'phoenix';
import { describe, expect, test } from 'vitest';
import { connect, type JoinedTopic, type JoinRefused, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';
import { projectGrants } from '../projects/table.ts';

async function twoPeople() {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const { id: projectId } = await app.project(ada.token);
  await app.database.db.insert(projectGrants).values({
    projectId,
    userId: bob.id,
    permissions: ['view', 'view_source', 'edit'],
    createdAt: new Date(app.clock.time),
  });
  const file = await app.post<{ id: string }>(ada.token, `/v1/notebooks/${projectId}/files-contents`, {
    name: 'model.py',
  });
  return { app, ada, bob, projectId, fileId: file.body.id };
}

const acquire = (topic: JoinedTopic, extra: object = {}) =>
  topic.push('acquire', { request_id: crypto.randomUUID(), ...extra });

describe('the lock of a file', () => {
  test('is held by one, taken over on request, and given up with the connection', async () => {
    const { app, ada, bob, projectId, fileId } = await twoPeople();
    const name = topicName(topics.lock, { projectId, fileId });
    const adas = await join(await connect(app, ada.token), name);
    const bobsSocket = await connect(app, bob.token);
    const bobs = await join(bobsSocket, name);
    expect(adas.response).toMatchObject({ holder: null });
    expect(await acquire(adas, { tag: 'window-1' })).toMatchObject({
      holder: { user: { id: ada.id }, tag: 'window-1' },
    });
    expect(await bobs.event('lock_changed')).toMatchObject({ holder: { user: { id: ada.id } } });
    const refused = await acquire(bobs).catch((error: JoinRefused) => error.response);
    expect(refused).toMatchObject({ reason: 'locked', details: { holder: { user: { id: ada.id } } } });
    expect(await acquire(bobs, { takeover: true })).toMatchObject({ holder: { user: { id: bob.id } } });
    expect(await adas.event('lock_changed', ({ position }) => position === 2)).toMatchObject({
      holder: { user: { id: bob.id } },
    });
    const late = await join(await connect(app, ada.token), name);
    expect(late.response).toMatchObject({ holder: { user: { id: bob.id } } });
    bobs.channel.leave();
    expect(await adas.event('lock_changed', ({ position }) => position === 3)).toMatchObject({ holder: null });
  });

  test('a window that comes back keeps its lock, and one that does not loses it', async () => {
    const { app, ada, bob, projectId, fileId } = await twoPeople();
    const name = topicName(topics.lock, { projectId, fileId });
    const watching = await join(await connect(app, bob.token), name);
    const first = await connect(app, ada.token);
    await acquire(await join(first, name), { tag: 'window-1' });
    first.conn?.close();
    const second = await connect(app, ada.token);
    const back = await join(second, name);
    expect(await acquire(back, { tag: 'window-1' })).toMatchObject({ holder: { tag: 'window-1' } });
    first.disconnect();
    second.disconnect();
    expect(await watching.event('lock_changed', ({ holder }) => holder === null)).toBeDefined();
  });

  test('needs the right to edit', async () => {
    const app = await createTestApp();
    const [ada, eve] = [await app.person(), await app.person()];
    const { id: projectId, default_file_id: fileId } = await app.project(ada.token, {
      visibility: 'open',
      create_main_file: true,
    });
    const topic = await join(
      await connect(app, eve.token),
      topicName(topics.lock, { projectId, fileId: fileId ?? '' }),
    );
    const refused = await acquire(topic).catch((error: JoinRefused) => error.response);
    expect(refused).toMatchObject({ reason: 'no_permissions' });
  });
});

describe('the lobby of a project', () => {
  test('shows who is there, on which file and where, in each of their windows', async () => {
    const { app, ada, bob, projectId, fileId } = await twoPeople();
    const name = topicName(topics.collaboratorLobby, { id: projectId });
    const socket = await connect(app, ada.token);
    const channel = socket.channel(name);
    const presence = new Presence(channel);
    const shown = () => Object.fromEntries(presence.list((key, { metas }) => [key, metas.map((meta) => meta.file_id)]));
    const until = (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        presence.onSync(() => isSo() && resolve());
        if (isSo()) resolve();
      });
    channel.join();
    const [one, two] = [await connect(app, bob.token), await connect(app, bob.token)];
    const window = await join(one, name);
    await join(two, name);
    await until(() => shown()[bob.id]?.length === 2 && shown()[ada.id]?.length === 1);
    const cursor = { line: 3, column: 4, anchor_line: 3, anchor_column: 4 };
    expect(await window.push('update_meta', { file_id: fileId, cursor })).toEqual({ ok: true });
    await until(() => shown()[bob.id]?.includes(fileId) ?? false);
    two.disconnect();
    await until(() => shown()[bob.id]?.length === 1);
    one.disconnect();
    await until(() => shown()[bob.id] === undefined);
  });
});
