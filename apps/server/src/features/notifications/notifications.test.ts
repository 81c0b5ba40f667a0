import { expect, test } from 'vitest';
import { connect, type JoinRefused, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';

test('a project that changes hands is told to its receiver, who reads it once', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const { id, name } = await app.project(ada.token);
  const topic = await join(await connect(app, bob.token), `notifications:${bob.id}`);
  expect(topic.response).toMatchObject({ unread_count: 0 });
  expect(
    (await app.call('PATCH', `/v1/notebooks/${id}/owner`, { token: ada.token, body: { user_id: bob.id } })).status,
  ).toBe(200);
  const created = await topic.event('notification_created');
  expect(created).toMatchObject({
    unread_count: 1,
    notification: { type: 'project_transferred', source_user: { id: ada.id }, project: { id, name } },
  });
  const command = { request_id: crypto.randomUUID(), id: (created.notification as { id: string }).id };
  const elsewhere = await join(await connect(app, bob.token), `notifications:${bob.id}`);
  expect(await topic.push('notification_read', command)).toEqual({ unread_count: 0 });
  expect(await elsewhere.event('notification_read')).toMatchObject({ id: command.id, unread_count: 0 });

  const adas = await join(await connect(app, ada.token), `notifications:${ada.id}`);
  const foreign = await adas
    .push('notification_read', { ...command, request_id: crypto.randomUUID() })
    .catch((error: JoinRefused) => error.response);
  expect(foreign).toMatchObject({ reason: 'not_found' });
});
