import { type ProjectPermission, type Run, type TopicContract, topics } from '@atoll/contract';
import { expect, test } from 'vitest';
import { notifications } from '../features/notifications/table.ts';
import { projectGrants } from '../features/projects/table.ts';
import { connect, type JoinedTopic, JoinRefused, join } from './realtime-client.ts';
import { createTestApp, type TestApp } from './test-app.ts';

const callers = ['guest', 'stranger', 'viewer', 'reader', 'editor', 'owner', 'admin'] as const;
type Caller = (typeof callers)[number];

const readers: Caller[] = ['reader', 'editor', 'owner', 'admin'];
const writers: Caller[] = ['editor', 'owner', 'admin'];
const seeing: Caller[] = ['viewer', ...readers];

/** Who may join each topic of the owner's private project, and whose commands are done. A topic without a row fails. */
const expected: Record<keyof typeof topics, { join: readonly Caller[]; commands: Record<string, readonly Caller[]> }> =
  {
    projectFiles: { join: readers, commands: {} },
    file: { join: readers, commands: {} },
    lock: { join: readers, commands: { acquire: writers, release: writers } },
    collaboratorLobby: { join: seeing, commands: { update_meta: seeing } },
    comments: { join: seeing, commands: {} },
    fileComments: { join: readers, commands: {} },
    run: { join: ['editor', 'owner', 'admin'], commands: {} },
    notifications: { join: ['owner'], commands: { notification_read: ['owner'] } },
    tracking: { join: callers, commands: { track: callers } },
  };

const granted: Partial<Record<Caller, ProjectPermission[]>> = {
  viewer: ['view'],
  reader: ['view', 'view_source'],
  editor: ['view', 'view_source', 'edit'],
};

async function cast(app: TestApp) {
  const owner = await app.person();
  const { id: projectId, default_file_id } = await app.project(owner.token, { create_main_file: true });
  const tokens: Partial<Record<Caller, string>> = { owner: owner.token, guest: (await app.guest()).token };
  for (const caller of ['stranger', 'viewer', 'reader', 'editor', 'admin'] as const) {
    const { id: userId, token } = await app.person();
    tokens[caller] = token;
    const permissions = granted[caller];
    const createdAt = new Date(app.clock.time);
    if (permissions) await app.database.db.insert(projectGrants).values({ projectId, userId, permissions, createdAt });
    if (caller === 'admin') await app.promote(userId);
  }
  const [notification] = await app.database.db
    .insert(notifications)
    .values({ userId: owner.id, type: 'project_transferred', projectId, createdAt: new Date(app.clock.time) })
    .returning();
  const run = await app.call<Run>('POST', `/v1/notebooks/${projectId}/runs`, { token: owner.token, body: {} });
  const params = { projectId, fileId: default_file_id ?? '', id: projectId, userId: owner.id, runId: run.body.id };
  const inputs: Record<string, object> = {
    acquire: { takeover: true },
    notification_read: { id: notification?.id },
    track: { events: [{ name: 'matrix', at: new Date(app.clock.time).toISOString() }] },
  };
  return { tokens, params, inputs };
}

test.each(Object.entries<TopicContract>(topics))('who may use the topic %s', async (key, topic) => {
  const row = expected[key as keyof typeof topics];
  expect(Object.keys(row.commands).sort()).toEqual(Object.keys(topic.commands).sort());
  const app = await createTestApp();
  const { tokens, params, inputs } = await cast(app);
  const name = topic.pattern.replace(/\{(\w+)\}/g, (_, param: keyof typeof params) => params[param]);
  const joined: Caller[] = [];
  const done: Record<string, Caller[]> = Object.fromEntries(Object.keys(topic.commands).map((event) => [event, []]));
  for (const caller of callers) {
    const socket = await connect(app, tokens[caller] ?? '');
    const channel = await refusedAsNull(join(socket, name));
    if (!channel) continue;
    joined.push(caller);
    for (const event of Object.keys(topic.commands)) {
      if (await refusedAsNull(send(channel, event, inputs[event] ?? {}, topic))) done[event]?.push(caller);
    }
  }
  expect(joined).toEqual(row.join);
  expect(done).toEqual(row.commands);
});

const send = (channel: JoinedTopic, event: string, input: object, topic: TopicContract) =>
  channel.push(event, topic.commands[event]?.isWriting ? { request_id: crypto.randomUUID(), ...input } : { ...input });

/** Anything but a refusal is a failure of the test. */
async function refusedAsNull<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof JoinRefused) return null;
    throw error;
  }
}
