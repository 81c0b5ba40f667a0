import { type PersonSummary, type ProjectDetail, topicName, topics, type UserPermission } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { createSharedApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';

type List<Entry> = { entries: Entry[]; total: number };

/** One for all tests, each with people of its own: opening a database takes longer than any of them. */
const app = await createSharedApp();

async function setUp() {
  const [ada, bob, eve] = await Promise.all([app.person(), app.person(), app.person()]);
  const project = await app.project(ada.token, { create_main_file: true });
  return { ada, bob, eve, project, ...callsOf(project.id) };
}

function callsOf(projectId: string) {
  const path = `/v1/notebooks/${projectId}/user_permissions`;
  return {
    path,
    share: (token: string, user_id: string, permissions: string[]) =>
      app.call<UserPermission>('POST', path, { token, body: { user_id, permissions } }),
    change: (token: string, id: string, permissions: string[]) =>
      app.call<UserPermission>('PATCH', `${path}/${id}`, { token, body: { permissions } }),
    remove: (token: string, id: string) => app.call('DELETE', `${path}/${id}`, { token }),
    view: (token: string) => app.call<ProjectDetail>('GET', `/v1/notebooks/${projectId}`, { token }),
    shared: async (token: string) =>
      (await app.call<List<{ id: string }>>('GET', '/v1/notebooks', { token, query: { mode: 'shared' } })).body.entries,
  };
}

describe('sharing a project', () => {
  test('gives somebody what was chosen and what it brings along, and counts once', async () => {
    const { ada, bob, project, path, share, change, remove, view, shared } = await setUp();
    expect((await view(bob.token)).status).toBe(404);
    const { body: grant, status } = await share(ada.token, bob.id, ['edit']);
    expect(status).toBe(200);
    expect(grant).toMatchObject({
      user: { id: bob.id, user_name: bob.user_name },
      permissions: ['view', 'view_source', 'comment', 'edit', 'view_history'],
      is_author: false,
    });
    expect((await shared(bob.token)).map(({ id }) => id)).toEqual([project.id]);
    expect((await view(bob.token)).body).toMatchObject({
      is_shared: true,
      user_permission_id: grant.id,
      permissions: grant.permissions,
      stats: { share_count: 1 },
    });
    // Sharing again changes what is there.
    expect((await share(ada.token, bob.id, ['view'])).body).toMatchObject({ id: grant.id, permissions: ['view'] });
    expect((await change(ada.token, grant.id, ['execute'])).body.permissions).toEqual(['view', 'execute']);
    const list = await app.call<List<UserPermission>>('GET', path, { token: ada.token });
    expect(list.body).toMatchObject({ entries: [{ id: grant.id }], page: 1, page_size: 100, total: 1 });

    expect(
      (await app.call<UserPermission>('POST', `${path}/${grant.id}/author`, { token: ada.token })).body,
    ).toMatchObject({
      is_author: true,
    });
    expect((await view(ada.token)).body.authors).toMatchObject([{ id: ada.id }, { id: bob.id }]);
    expect(
      (await app.call<UserPermission>('DELETE', `${path}/${grant.id}/author`, { token: ada.token })).body,
    ).toMatchObject({
      is_author: false,
    });

    expect((await remove(ada.token, grant.id)).status).toBe(200);
    expect((await view(bob.token)).status).toBe(404);
    expect(await shared(bob.token)).toEqual([]);
    await share(ada.token, bob.id, ['view']);
    expect((await view(ada.token)).body.stats.share_count).toBe(1);
  });

  test('nobody gives what they do not have, and some cannot be given anything', async () => {
    const { ada, bob, eve, share, change, path } = await setUp();
    const { body: bobs } = await share(ada.token, bob.id, ['share', 'execute']);
    expect((await share(bob.token, eve.id, ['edit'])).status).toBe(403);
    const { body: eves } = await share(bob.token, eve.id, ['execute']);
    expect(eves.permissions).toEqual(['view', 'execute']);
    expect((await change(bob.token, bobs.id, ['share', 'execute', 'edit'])).status).toBe(403);
    // What she has already she may keep.
    await change(ada.token, eves.id, ['execute', 'edit']);
    expect((await change(bob.token, eves.id, ['edit', 'share'])).status).toBe(200);

    const refused = await share(bob.token, ada.id, ['view']);
    expect(refused).toMatchObject({ status: 422, body: { fields: { user_id: ['Owns this project'] } } });
    const guest = await app.guest();
    expect((await share(ada.token, guest.id, ['view'])).status).toBe(422);
    expect((await share(ada.token, crypto.randomUUID(), ['view'])).status).toBe(422);
    expect((await share(ada.token, eve.id, [])).status).toBe(422);
    expect((await share(ada.token, eve.id, ['delete'])).status).toBe(422);

    // Eve cannot see with whom it is shared, and cannot share, once she lost that right.
    await change(ada.token, eves.id, ['view']);
    expect((await app.call('GET', path, { token: eve.token })).status).toBe(403);
    expect((await share(eve.token, bob.id, ['view'])).status).toBe(403);
  });

  test('whoever it was shared with may leave, and remove nobody else', async () => {
    const { ada, bob, eve, share, remove, view } = await setUp();
    const { body: bobs } = await share(ada.token, bob.id, ['edit']);
    const { body: eves } = await share(ada.token, eve.id, ['view']);
    expect((await remove(bob.token, eves.id)).status).toBe(404);
    expect((await remove(bob.token, bobs.id)).status).toBe(200);
    expect((await view(bob.token)).status).toBe(404);
    expect((await remove(bob.token, bobs.id)).status).toBe(404);
    expect((await view(eve.token)).status).toBe(200);
  });

  test('is told live to whom it concerns, and ends with the right', async () => {
    const { ada, bob, project, share, change, remove } = await setUp();
    const told = await join(await connect(app, bob.token), topicName(topics.person, { userId: bob.id }));
    const { body: grant } = await share(ada.token, bob.id, ['view_source']);
    expect(await told.event('projects_changed')).toMatchObject({ project_id: project.id });
    expect(await told.event('notification_created')).toMatchObject({
      notification: { type: 'project_shared', source_user: { id: ada.id }, project: { id: project.id } },
    });
    const socket = await connect(app, bob.token);
    const files = topicName(topics.projectFiles, { projectId: project.id });
    const first = await join(socket, files);
    await change(ada.token, grant.id, ['view']);
    await first.closed;
    expect(await first.event('access_lost')).toMatchObject({ reason: 'no_permissions' });

    await change(ada.token, grant.id, ['view_source']);
    const [second, owner] = [
      await join(await connect(app, bob.token), files),
      await join(await connect(app, ada.token), files),
    ];
    await remove(ada.token, grant.id);
    await second.closed;
    expect(await second.event('access_lost')).toMatchObject({ reason: 'no_permissions' });
    expect(await owner.event('project_changed')).toMatchObject({ fields: ['collaborators'] });
  });

  test('a copied link counts once a day for each person', async () => {
    const { ada, bob, eve, project, share, view } = await setUp();
    await share(ada.token, bob.id, ['view']);
    const copy = (token: string) => app.call('POST', `/v1/notebooks/${project.id}/link_copies`, { token });
    for (const token of [ada.token, ada.token, bob.token]) expect((await copy(token)).status).toBe(200);
    expect((await copy(eve.token)).status).toBe(404);
    expect((await view(ada.token)).body.stats.share_count).toBe(3);
    app.clock.advance(25 * 60 * 60_000);
    await copy(ada.token);
    expect((await view(ada.token)).body.stats.share_count).toBe(4);
  });
});

test('people are found by part of their name, and hidden ones only by all of it', async () => {
  const [ada, hidden] = [await app.person('ada_lovelace'), await app.person('ada_hidden')];
  await app.person('a100percent');
  const { db } = app.database;
  await db.update(users).set({ isDiscoverable: false }).where(eq(users.id, hidden.id));
  const find = async (search: string) =>
    (await app.call<List<PersonSummary>>('GET', '/v1/users', { token: ada.token, query: { search } })).body;
  const names = async (search: string) => (await find(search)).entries.map((person) => person.user_name);
  expect(await names('ada_')).toEqual(['ada_lovelace']);
  expect(await names('LOVE')).toEqual(['ada_lovelace']);
  expect(await names('@ada_hidden')).toEqual(['ada_hidden']);
  expect(await names('%%')).toEqual([]);
  expect(await names('ada_hidden@example.org')).toEqual([]);
  await db.update(users).set({ emailConfirmedAt: new Date() }).where(eq(users.id, hidden.id));
  expect(await names('Ada_Hidden@example.org')).toEqual(['ada_hidden']);
  await app.suspend(hidden.id, 'Gone');
  expect(await names('ada_hidden')).toEqual([]);
  expect(JSON.stringify(await find('ada_lovelace'))).not.toContain('@');
  expect((await app.call('GET', '/v1/users', { token: ada.token, query: { search: 'a' } })).status).toBe(422);
  const everybody = await app.get<List<PersonSummary> & { page_size: number }>(ada.token, '/v1/users');
  expect(everybody.body).toMatchObject({ page_size: 100, total: expect.any(Number) });
  expect(everybody.body.entries.length).toBeGreaterThan(0);
});
