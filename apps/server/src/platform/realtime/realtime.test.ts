import { once } from 'node:events';
import { topicName, topics } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { projectGrants } from '../../features/projects/table.ts';
import { sessions } from '../../features/sessions/table.ts';
import { connect, JoinRefused, join, listen } from '../../test/realtime-client.ts';
import { startNats } from '../../test/servers/nats-server.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { appendMessages } from './stream.ts';
import { topicEvents } from './table.ts';

const files = (projectId: string) => topicName(topics.projectFiles, { projectId });

async function createFile({ call }: TestApp, token: string, projectId: string, name: string) {
  const answer = await call<{ id: string }>('POST', `/v1/notebooks/${projectId}/files-contents`, {
    token,
    body: { name },
  });
  return answer.body.id;
}

const refusal = (joining: Promise<unknown>) =>
  joining.then(
    () => null,
    (error: unknown) => (error instanceof JoinRefused ? error.response : error),
  );

describe('the realtime connection', () => {
  test('accepts only a socket token, and only a page of our own', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const url = `${await listen(app)}/websocket?vsn=2.0.0`;
    const status = async (protocols: string[], origin?: string, host?: string) => {
      const options = { ...(origin && { origin }), ...(host && { headers: { host } }) };
      const socket = new WebSocket(url, protocols, options);
      const [outcome] = await Promise.race([once(socket, 'open'), once(socket, 'unexpected-response')]);
      socket.on('error', () => {});
      socket.terminate();
      return outcome ? 'refused' : 'open';
    };
    const asProtocol = (secret: string) => [
      'phoenix',
      `base64url.bearer.phx.${Buffer.from(secret).toString('base64').replaceAll('=', '')}`,
    ];
    const answer = await app.call<{ token: string }>('POST', '/v1/me/socket_token', { token });
    expect(await status(asProtocol(answer.body.token))).toBe('open');
    expect(await status(asProtocol(answer.body.token), 'http://localhost:4000')).toBe('open');
    expect(await status(asProtocol(answer.body.token), 'https://elsewhere.example')).toBe('refused');
    const rebound = status(asProtocol(answer.body.token), 'http://rebound.example:4000', 'rebound.example:4000');
    expect(await rebound).toBe('refused');
    expect(await status(asProtocol(token))).toBe('refused');
    expect(await status(['phoenix'])).toBe('refused');
    app.clock.advance(61_000);
    expect(await status(asProtocol(answer.body.token))).toBe('refused');
  });

  test('ends with its session, and when the session expires', async () => {
    const app = await createTestApp();
    const ada = await app.person();
    const socket = await connect(app, ada.token);
    await join(socket, 'tracking');
    const closed = new Promise<{ code: number }>((resolve) => socket.onClose(resolve));
    await app.call('DELETE', '/v1/log_out', { token: ada.token });
    expect((await closed).code).toBe(4001);

    const bob = await app.person();
    const second = await connect(app, bob.token);
    await join(second, 'tracking');
    const expired = new Promise<{ code: number }>((resolve) => second.onClose(resolve));
    app.clock.advance(366 * 24 * 60 * 60_000);
    expect((await expired).code).toBe(4001);
  });

  test('refuses topics that do not exist, are malformed or belong to another person', async () => {
    const app = await createTestApp();
    const [ada, eve] = [await app.person(), await app.person()];
    const { id } = await app.project(ada.token);
    const socket = await connect(app, eve.token);
    expect(await refusal(join(socket, 'nonsense:1'))).toEqual({ reason: 'unmatched topic' });
    expect(await refusal(join(socket, 'access'))).toEqual({ reason: 'unmatched topic' });
    expect(await refusal(join(socket, files('not-an-id')))).toEqual({ reason: 'unmatched topic' });
    expect(await refusal(join(socket, files(id)))).toMatchObject({ reason: 'not_found' });
    expect(await refusal(join(socket, `notifications:${ada.id}`))).toMatchObject({ reason: 'not_found' });
    expect(await refusal(join(socket, 'tracking', { last_seen: 'yesterday' }))).toMatchObject({ reason: 'invalid' });
    const tracking = await join(socket, 'tracking');
    expect(await refusal(tracking.push('explode', {}))).toMatchObject({ reason: 'unknown_command' });
    expect(await refusal(tracking.push('track', { events: [] }))).toMatchObject({ reason: 'invalid' });
  });

  test('works the same by long polling', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const { id } = await app.project(token);
    const socket = await connect(app, token, { transport: 'longpoll' });
    const topic = await join(socket, files(id));
    await createFile(app, token, id, 'polled.py');
    expect(await topic.event('files_changed')).toMatchObject({ files: [{ name: 'polled.py' }], position: 1 });
  });
});

test('every topic, command and event is published', async () => {
  const { call } = await createTestApp();
  const { body } = await call<{ channels: Record<string, { address: string; messages: Record<string, object> }> }>(
    'GET',
    '/asyncapi.json',
  );
  for (const [name, topic] of Object.entries(topics)) {
    expect(body.channels[name]?.address).toBe(topic.pattern);
    expect(Object.keys(body.channels[name]?.messages ?? {})).toEqual([
      'phx_join',
      ...Object.keys(topic.commands),
      ...Object.keys(topic.events).map((event) => `event.${event}`),
    ]);
  }
});

describe('a topic', () => {
  test('publishes each event to everyone in it, with a position', async () => {
    const app = await createTestApp();
    const [ada, bob] = [await app.person(), await app.person()];
    const { id } = await app.project(ada.token, { visibility: 'open' });
    const sockets = [await connect(app, ada.token), await connect(app, bob.token)];
    const joined = await Promise.all(sockets.map((socket) => join(socket, files(id))));
    const fileId = await createFile(app, ada.token, id, 'model.py');
    for (const topic of joined) {
      expect(await topic.event('files_changed')).toMatchObject({
        change: 'created',
        files: [{ id: fileId, path: 'model.py' }],
        position: 1,
      });
    }
    await app.call('DELETE', `/v1/notebooks/${id}/files/${fileId}`, { token: ada.token });
    expect(await joined[1]?.event('files_changed', ({ change }) => change === 'deleted')).toMatchObject({
      deleted_ids: [fileId],
      position: 2,
    });
  });

  test('gives a returning client the missed events, or asks it to load everything', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const { id } = await app.project(token);
    const socket = await connect(app, token);
    for (const name of ['a.py', 'b.py', 'c.py']) await createFile(app, token, id, name);
    const rejoined = await join(socket, files(id), { last_seen: 1 });
    expect(rejoined.response).toMatchObject({
      position: 3,
      is_reset: false,
      missed: [
        { position: 2, event: 'files_changed', payload: { files: [{ name: 'b.py' }] } },
        { position: 3, event: 'files_changed', payload: { files: [{ name: 'c.py' }] } },
      ],
    });
    expect(rejoined.events).toEqual([]);
    const other = await connect(app, token);
    await app.database.db.delete(topicEvents).where(and(eq(topicEvents.topic, files(id)), eq(topicEvents.position, 2)));
    expect((await join(other, files(id), { last_seen: 1 })).response).toMatchObject({ position: 3, is_reset: true });
    const third = await connect(app, token);
    expect((await join(third, files(id), { last_seen: 99 })).response).toMatchObject({ position: 3, is_reset: true });
  });

  test('publishes an event that was committed by a server that died before publishing it', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const { id } = await app.project(token);
    const topic = await join(await connect(app, token), files(id));
    // A server commits the event and is killed before it can publish it.
    await app.database.db.transaction((tx) =>
      appendMessages(tx, new Date(app.clock.time), [
        { topic: files(id), event: 'project_changed', payload: { fields: ['name'] } },
      ]),
    );
    expect(await topic.event('project_changed')).toMatchObject({ fields: ['name'], position: 1 });
  });

  test('publishes no event of a transaction that fails', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const { id } = await app.project(token);
    const topic = await join(await connect(app, token), files(id));
    const failing = app.app.system().write(async ({ emit }) => {
      await emit('project.updated', { project_id: id, fields: ['never'] });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await createFile(app, token, id, 'after.py');
    expect(await topic.event('files_changed')).toMatchObject({ position: 1 });
    expect(topic.events.map(({ event }) => event)).toEqual(['files_changed']);
  });

  test('ends for those who lose the right, and for no one else', async () => {
    const app = await createTestApp();
    const [ada, bob] = [await app.person(), await app.person()];
    const { id } = await app.project(ada.token, { visibility: 'open' });
    const owner = await join(await connect(app, ada.token), files(id));
    const guest = await join(await connect(app, bob.token), files(id));
    const lobby = await join(await connect(app, bob.token), topicName(topics.collaboratorLobby, { id }));
    await app.call('PATCH', `/v1/notebooks/${id}`, { token: ada.token, body: { visibility: 'private' } });
    await Promise.all([guest.closed, lobby.closed]);
    expect(await guest.event('access_lost')).toMatchObject({ reason: 'no_permissions' });
    await createFile(app, ada.token, id, 'secret.py');
    await owner.event('files_changed');
    expect(guest.events.map(({ event }) => event)).not.toContain('files_changed');
  });
});

describe('a command', () => {
  test('is applied once, however often it is sent, and gets the same answer', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const topic = await join(await connect(app, token), 'tracking');
    const command = {
      request_id: crypto.randomUUID(),
      events: [{ name: 'page.viewed', at: new Date(app.clock.time).toISOString() }],
    };
    expect(await topic.push('track', command)).toEqual({ stored: 1 });
    expect(await topic.push('track', command)).toEqual({ stored: 1 });
    const again = await join(await connect(app, token), 'tracking');
    expect(await again.push('track', command)).toEqual({ stored: 1 });
    const { trackedEvents } = await import('../../features/tracking/table.ts');
    expect(await app.database.db.select().from(trackedEvents)).toHaveLength(1);
  });

  test('rejects a used request id for another command', async () => {
    const app = await createTestApp();
    const topic = await join(await connect(app, (await app.person()).token), 'tracking');
    const request_id = crypto.randomUUID();
    const track = (name: string) =>
      topic.push('track', { request_id, events: [{ name, at: new Date(app.clock.time).toISOString() }] });
    await track('page.viewed');
    expect(await track('page.viewed')).toEqual({ stored: 1 });
    expect(await refusal(track('page.left'))).toMatchObject({ reason: 'request_reused' });
  });

  test('reveals nothing about another person’s request id', async () => {
    const app = await createTestApp();
    const request_id = crypto.randomUUID();
    const events = [{ name: 'page.viewed', at: new Date(app.clock.time).toISOString() }];
    for (const { token } of [await app.person(), await app.person()]) {
      const topic = await join(await connect(app, token), 'tracking');
      expect(await topic.push('track', { request_id, events })).toEqual({ stored: 1 });
    }
    const { trackedEvents } = await import('../../features/tracking/table.ts');
    expect(await app.database.db.select().from(trackedEvents)).toHaveLength(2);
  });
});

describe('two servers', () => {
  test('over NATS: a commit on one reaches the clients of the other, as does the end of a session or a right', async () => {
    const nats = await startNats();
    onTestFinished(() => nats.stop());
    const first = await createTestApp({ env: { NATS_URL: nats.url } });
    const second = await createTestApp({ env: { NATS_URL: nats.url }, beside: first });
    const [ada, bob] = [await first.person(), await first.person()];
    const { id } = await first.project(ada.token);
    await first.database.db.insert(projectGrants).values({
      projectId: id,
      userId: bob.id,
      permissions: ['view', 'view_source'],
      createdAt: new Date(first.clock.time),
    });
    const socket = await connect(second, bob.token);
    const topic = await join(socket, files(id));
    await createFile(first, ada.token, id, 'shared.py');
    expect(await topic.event('files_changed')).toMatchObject({ files: [{ name: 'shared.py' }] });
    await first.call('DELETE', `/v1/notebooks/${id}`, { token: ada.token });
    await topic.closed;
    const closed = new Promise<{ code: number }>((resolve) => socket.onClose(resolve));
    const [session] = await first.database.db.select().from(sessions).where(eq(sessions.userId, bob.id));
    await first.call('DELETE', `/v1/me/sessions/${session?.id}`, { token: bob.token });
    expect((await closed).code).toBe(4001);
  });

  test('over NATS: people on both see each other', async () => {
    const nats = await startNats();
    onTestFinished(() => nats.stop());
    const first = await createTestApp({ env: { NATS_URL: nats.url } });
    const second = await createTestApp({ env: { NATS_URL: nats.url }, beside: first });
    const [ada, bob] = [await first.person(), await first.person()];
    const { id } = await first.project(ada.token, { visibility: 'open' });
    const lobby = topicName(topics.collaboratorLobby, { id });
    const here = await join(await connect(first, ada.token), lobby);
    const there = await join(await connect(second, bob.token), lobby);
    const shows = (userId: string) => (payload: object) => JSON.stringify(payload).includes(userId);
    const seen = (topic: typeof here, userId: string) =>
      Promise.race([topic.event('presence_state', shows(userId)), topic.event('presence_diff', shows(userId))]);
    await Promise.all([seen(here, bob.id), seen(there, ada.id)]);
    there.channel.leave();
    await here.event('presence_diff', ({ leaves }) => bob.id in (leaves as object));
  });

  test('without messages between them, events arrive a moment later', async () => {
    const first = await createTestApp();
    const second = await createTestApp({ beside: first });
    const { token } = await first.person();
    const { id } = await first.project(token);
    const topic = await join(await connect(second, token), files(id));
    await createFile(first, token, id, 'late.py');
    expect(await topic.event('files_changed')).toMatchObject({ files: [{ name: 'late.py' }] });
  });
});
