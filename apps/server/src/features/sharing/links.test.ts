import { type ProjectDetail, topicName, topics } from '@atoll/contract';
import { expect, test } from 'vitest';
import { connect, JoinRefused, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';
import { projectLinks } from '../projects/table.ts';

async function setUp() {
  const app = await createTestApp();
  const ada = await app.person();
  const project = await app.project(ada.token, { create_main_file: true });
  const path = `/v1/notebooks/${project.id}`;
  const create = async () =>
    (await app.call<{ secret: string }>('POST', `${path}/link`, { token: ada.token })).body.secret;
  const open = async (token: string, secret: string) =>
    (await app.call('POST', `${path}/link/open`, { token, body: { secret } })).status;
  const see = async (token: string) => (await app.call<ProjectDetail>('GET', path, { token })).status;
  return { ...app, app, ada, shared: project, path, create, open, see };
}

test('who has the link may view the project and its files, as a guest too, and nothing more', async () => {
  const { call, guest, path, shared, create, open, see } = await setUp();
  const { token } = await guest();
  const secret = await create();
  expect(await see(token)).toBe(404);
  expect(await open(token, `${secret.slice(0, -2)}xx`)).toBe(404);
  expect(await see(token)).toBe(404);
  expect(await open(token, secret)).toBe(200);
  const { body } = await call<ProjectDetail>('GET', path, { token });
  expect(body).toMatchObject({ access: 'link_shared', permissions: ['view', 'view_source', 'view_publications'] });
  expect((await call('GET', `${path}/files-dirs`, { token })).status).toBe(200);
  const file = `${path}/file_raw_contents/${shared.default_file_id}`;
  expect((await call('GET', file, { token })).status).toBe(200);
  expect((await call('GET', `${path}/link`, { token })).status).toBe(403);
  expect((await call('PATCH', path, { token, body: { name: 'Mine' } })).status).toBe(403);
  const listed = await call<{ entries: object[] }>('GET', '/v1/notebooks', { token, query: { mode: 'all' } });
  expect(listed.body.entries).toEqual([]);
});

test('a renewed or ended link is of no use any more, and those who came by it lose the project', async () => {
  const { app, call, person, shared, path, ada, create, open, see } = await setUp();
  const [bob, eve] = [await person(), await person()];
  const first = await create();
  await open(bob.token, first);
  const known = await call<{ viewers_count: number }>('GET', `${path}/link`, { token: ada.token });
  expect(known.body).toMatchObject({ viewers_count: 1, created_by: { id: ada.id } });
  const address = topicName(topics.projectFiles, { projectId: shared.id });
  const socket = await connect(app, bob.token);
  const topic = await join(socket, address);
  const second = await create();
  await topic.closed;
  expect(await see(bob.token)).toBe(404);
  await expect(join(socket, address)).rejects.toBeInstanceOf(JoinRefused);
  expect(await open(eve.token, first)).toBe(404);
  expect(await open(eve.token, second)).toBe(200);
  expect((await call('DELETE', `${path}/link`, { token: ada.token })).status).toBe(200);
  expect(await see(eve.token)).toBe(404);
  expect((await call('GET', `${path}/link`, { token: ada.token })).body).toBeNull();
});

test('the secret is long, and only its hash is stored', async () => {
  const { create, database, ada, call, path } = await setUp();
  const secret = await create();
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(JSON.stringify(await database.db.select().from(projectLinks))).not.toContain(secret);
  expect(JSON.stringify((await call('GET', `${path}/link`, { token: ada.token })).body)).not.toContain(secret);
});

test('a viewer reads what is said and a commenter says something', async () => {
  const { call, person, path, ada } = await setUp();
  const bob = await person();
  const share = (permissions: string[]) =>
    call('POST', `${path}/user_permissions`, { token: ada.token, body: { user_id: bob.id, permissions } });
  const say = async () =>
    (await call('POST', `${path}/comments`, { token: bob.token, body: { content: 'Hello' } })).status;
  await share(['view_source']);
  expect((await call('GET', `${path}/comments`, { token: bob.token })).status).toBe(200);
  expect(await say()).toBe(403);
  await share(['view_source', 'comment']);
  expect(await say()).toBe(200);
});
