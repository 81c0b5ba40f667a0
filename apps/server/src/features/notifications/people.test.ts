import type { AccessRequest, Notification, PublicUser } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { connect, type JoinRefused, join } from '../../test/realtime-client.ts';
import { createSharedApp, tokenIn } from '../../test/test-app.ts';
import { teamMembers } from '../teams/table.ts';
import { userFollows, users } from '../users/table.ts';
import { planDigests } from './service/digest.ts';
import { notifications } from './table.ts';

type List = { entries: Notification[]; total: number; unread_count: number };

/** One for all tests, each with people of its own: opening a database takes longer than any of them. */
const app = await createSharedApp();

const follow = (token: string, id: string) => app.call<PublicUser>('POST', `/v1/users/${id}/follow`, { token });
async function newsOf(token: string, query: Record<string, string> = {}): Promise<List> {
  await app.settled();
  return (await app.call<List>('GET', '/v1/notifications', { token, query })).body;
}

test('notifications are read one by one, by group and all at once, on every device', async () => {
  const [ada, bob] = [await app.person(), await app.person()];
  await follow(bob.token, ada.id);
  await follow(bob.token, ada.id);
  const project = await app.project(bob.token);
  await app.share(bob.token, project.id, ada.id, ['view']);
  const all = await newsOf(ada.token);
  expect(all).toMatchObject({ total: 2, unread_count: 2, page: 1, page_size: 10 });
  expect(all.entries.map(({ type }) => type)).toEqual(['project_shared', 'user_followed']);
  expect((await newsOf(ada.token, { group: 'people' })).entries).toMatchObject([
    { entity: { type: 'user', id: bob.id }, source_user: { id: bob.id } },
  ]);
  const topic = await join(await connect(app, ada.token), `notifications:${ada.id}`);
  const read = (body: object) =>
    app.call<{ unread_count: number }>('POST', '/v1/notifications/mark_all_as_read', { token: ada.token, body });
  expect((await read({ group: 'people' })).body).toEqual({ unread_count: 1 });
  expect(await topic.event('notifications_read')).toMatchObject({ unread_count: 1 });
  expect((await read({})).body).toEqual({ unread_count: 0 });
  expect((await newsOf(ada.token, { is_unread: 'true' })).total).toBe(0);
});

test('an offer of a project is told to its receiver, who reads it once', async () => {
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
    notification: { type: 'project_offered', source_user: { id: ada.id }, project: { id, name } },
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

test('what somebody may not see any more is not named to them', async () => {
  const [ada, bob] = [await app.person(), await app.person()];
  const project = await app.project(ada.token, { name: 'Secret tides' });
  const path = `/v1/notebooks/${project.id}/user_permissions`;
  const grant = await app.post<{ id: string }>(ada.token, path, { user_id: bob.id, permissions: ['view'] });
  expect((await newsOf(bob.token)).entries[0]?.project?.name).toBe('Secret tides');
  await app.call('DELETE', `${path}/${grant.body.id}`, { token: ada.token });
  await app.call('PATCH', `/v1/notebooks/${project.id}`, { token: ada.token, body: { name: 'Renamed' } });
  const news = await newsOf(bob.token);
  expect(news.entries.map(({ type, project }) => [type, project])).toEqual([
    ['project_unshared', null],
    ['project_shared', null],
  ]);
});

describe('settings', () => {
  test('of a group decide whether anything is told at all', async () => {
    const [ada, bob] = [await app.person(), await app.person()];
    await app.call('PATCH', '/v1/preferences', { token: ada.token, body: { notifications: { teams: 'app' } } });
    // What is left out stays as it was.
    const chosen = { sharing: 'email', comments: 'email', people: 'off' };
    const saved = await app.call('PATCH', '/v1/preferences', { token: ada.token, body: { notifications: chosen } });
    expect(saved).toMatchObject({ status: 200, body: { notifications: { ...chosen, teams: 'app' } } });
    await follow(bob.token, ada.id);
    expect((await newsOf(ada.token)).total).toBe(0);
  });

  test('mail gathers what is unread, once, with a way out that needs no sign-in', async () => {
    const [ada, bob] = [await app.person('ada_reads'), await app.person()];
    await app.confirm(ada.id);
    const project = await app.project(bob.token, { name: 'Tides <b>&' });
    const grant = (permissions: string[]) => app.share(bob.token, project.id, ada.id, permissions);
    await grant(['view']);
    await app.post(bob.token, `/v1/notebooks/${project.id}/comments`, {
      content: 'Look, @ada_reads: <img src=x onerror=alert(1)>',
    });
    await app.deliveredMails();
    const digests = async () => {
      await planDigests(app.app.system());
      await app.app.jobs.settled();
      return app.mails.filter(({ to, headers }) => to === 'ada_reads@example.org' && headers?.['List-Unsubscribe']);
    };
    expect(await digests()).toHaveLength(0);
    app.clock.advance(25 * 60 * 60_000);
    const [mail, ...more] = await digests();
    expect(more).toHaveLength(0);
    expect(mail).toMatchObject({
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    });
    expect(mail?.text).toContain('shared “Tides <b>&” with you');
    expect(mail?.html).toContain('Tides &lt;b&gt;&amp;');
    expect(mail?.html).not.toContain('<img src=x');
    expect(await digests()).toHaveLength(1);

    const address = /<(.+)>/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '';
    const oneClick = await app.app.http.inject({
      method: 'POST',
      url: new URL(address).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(oneClick.statusCode).toBe(200);
    const session = await app.call<{ token: string }>('POST', '/v1/sign_in', {
      body: { email: 'ada_reads@example.org', password: 'correct horse battery' },
    });
    const { token } = session.body;
    expect((await app.call('GET', '/v1/preferences', { token })).body).toMatchObject({ email_notifications: false });
    const forged = tokenIn(mail).slice(0, 37);
    expect((await app.call('POST', `/v1/unsubscribe/${forged}x`)).status).toBe(410);
  });

  test('mail that was gathered for a proven address does not go to another one that is only claimed', async () => {
    const [ada, bob] = [await app.person(), await app.person()];
    await app.confirm(ada.id);
    const project = await app.project(bob.token);
    await app.share(bob.token, project.id, ada.id, ['view']);
    await app.deliveredMails();
    const email = `stranger_of_${ada.user_name}@example.org`;
    expect((await app.patch(ada.token, '/v1/settings/credentials', { email })).status).toBe(200);
    const digests = async () => {
      app.clock.advance(25 * 60 * 60_000);
      await planDigests(app.app.system());
      await app.app.jobs.settled();
      return app.mails.filter(({ to, headers }) => to === email && headers?.['List-Unsubscribe']);
    };
    expect(await digests()).toEqual([]);
    // Proven, it gets what comes from then on.
    await app.confirm(ada.id);
    await app.share(bob.token, (await app.project(bob.token)).id, ada.id, ['view']);
    await app.deliveredMails();
    expect(await digests()).toHaveLength(1);
  });
});

describe('following', () => {
  test('a project that is published is told to followers and to those who follow its tags, once', async () => {
    const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
    await follow(bob.token, ada.id);
    const project = await app.project(ada.token);
    await app.call('POST', `/v1/notebooks/${project.id}/tags`, { token: ada.token, body: { names: ['Tides'] } });
    const tags = await app.call<{ entries: { id: string }[] }>('GET', '/v1/tags', { query: { search: 'Tides' } });
    const tag_id = tags.body.entries[0]?.id;
    expect((await app.call('POST', '/v1/tag_subscriptions', { token: eve.token, body: { tag_id } })).status).toBe(200);
    const show = (visibility: string) =>
      app.call('PATCH', `/v1/notebooks/${project.id}`, { token: ada.token, body: { visibility } });
    await show('public');
    await show('private');
    await show('open');
    expect((await newsOf(bob.token)).entries.map(({ type }) => type)).toEqual(['followed_published']);
    expect((await newsOf(eve.token)).entries).toMatchObject([{ type: 'tag_published', metadata: { tag: 'Tides' } }]);
    expect((await app.call('DELETE', `/v1/tag_subscriptions/${tag_id}`, { token: eve.token })).status).toBe(200);
    expect((await app.call('GET', '/v1/tag_subscriptions', { token: eve.token })).body).toEqual({ entries: [] });
  });

  test('reaches more than one step of readers', async () => {
    const ada = await app.person();
    const readers = Array.from({ length: 250 }, (_, index) => ({
      userName: `reader_${index}`,
      createdAt: new Date(app.clock.time),
      activeAt: new Date(app.clock.time),
    }));
    const made = await app.database.db.insert(users).values(readers).returning({ id: users.id });
    await app.database.db
      .insert(userFollows)
      .values(made.map(({ id }) => ({ followerId: id, followeeId: ada.id, createdAt: new Date(app.clock.time) })));
    await app.project(ada.token, { visibility: 'public' });
    await app.settled();
    expect(await app.database.db.$count(notifications, eq(notifications.actorId, ada.id))).toBe(250);
  });

  test('is counted on the profile, and needs somebody who wants to be found', async () => {
    const [ada, bob] = [await app.person('ada_found'), await app.person()];
    expect((await follow(bob.token, ada.id)).body).toMatchObject({
      followers_count: 1,
      is_followed_by_you: true,
      permissions: ['follow'],
      referral_code: null,
    });
    expect((await follow(bob.token, bob.id)).status).toBe(422);
    const followers = await app.call<{ entries: object[] }>('GET', `/v1/users/${ada.id}/follows`);
    expect(followers.body.entries).toMatchObject([{ id: bob.id, is_followed_by_you: false }]);
    await app.call('PATCH', '/v1/settings', { token: ada.token, body: { is_discoverable: false } });
    expect((await app.call('GET', '/v1/users/by_user_name/ada_found', { token: bob.token })).status).toBe(404);
    expect((await app.call('GET', '/v1/users/by_user_name/ADA_found', { token: ada.token })).body).toMatchObject({
      permissions: ['edit'],
      followers_count: 1,
    });
    await app.database.db.delete(users).where(eq(users.id, ada.id));
    const following = await app.call('GET', `/v1/users/${bob.id}/follows`, { query: { type: 'following' } });
    expect(following.body).toMatchObject({ total: 0 });
  });
});

describe('access', () => {
  test('is asked for by whoever has the link, and answered once', async () => {
    const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
    const [lead, guest] = [await app.person(), await app.person()];
    const project = await app.project(ada.token, { create_main_file: true });
    const path = `/v1/projects/${project.id}/access_requests`;
    const team = await app.post<{ id: string }>(lead.token, '/v1/teams', { name: `Team ${lead.id}` });
    await app.database.db.insert(teamMembers).values([
      { teamId: team.body.id, userId: ada.id, role: 'member', createdAt: new Date() },
      { teamId: team.body.id, userId: guest.id, role: 'guest', createdAt: new Date() },
    ]);
    const shared = await app.post(ada.token, `/v1/notebooks/${project.id}/team_permissions`, {
      team_id: team.body.id,
      permissions: ['share', 'view_source'],
    });
    expect(shared.status).toBe(200);
    await app.share(ada.token, project.id, eve.id, ['share', 'view_source']);
    const ask = (reason = '') => app.call<AccessRequest>('POST', path, { token: bob.token, body: { reason } });
    const { body: request } = await ask('For the report');
    expect(request).toMatchObject({ status: 'pending', project: { name: null } });
    expect((await ask()).body.id).toBe(request.id);
    expect((await newsOf(ada.token)).entries).toMatchObject([
      { type: 'access_requested', source_user: { id: bob.id } },
    ]);
    expect((await newsOf(eve.token)).entries[0]?.type).toBe('access_requested');
    // Through a team as well, for those of it who may share.
    expect((await newsOf(lead.token)).entries.map(({ type }) => type)).toContain('access_requested');
    expect((await newsOf(guest.token)).entries.map(({ type }) => type)).not.toContain('access_requested');
    const list = await app.call('GET', path, { token: eve.token, query: { status: 'pending' } });
    expect(list.body).toMatchObject({ total: 1, page_size: 50, entries: [{ reason: 'For the report' }] });
    expect((await app.call('GET', path, { token: bob.token })).status).toBe(404);
    const answers = await Promise.all([
      app.call<AccessRequest>('POST', `${path}/${request.id}/approve`, { token: ada.token }),
      app.call<AccessRequest>('POST', `${path}/${request.id}/reject`, { token: eve.token }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const status = answers.find((answer) => answer.status === 200)?.body.status;
    expect((await app.call('GET', `${path}/my`, { token: bob.token })).body).toMatchObject({ status });
    const seen = await app.call('GET', `/v1/notebooks/${project.id}`, { token: bob.token });
    expect(seen.status).toBe(status === 'approved' ? 200 : 404);
    expect((await newsOf(bob.token)).entries.map(({ type }) => type)).toEqual([`access_${status}`]);
    expect((await app.call('DELETE', `${path}/${request.id}`, { token: bob.token })).status).toBe(409);
  });

  test('cannot be asked for twice, to what is not there, or by whoever has it; it can be taken back', async () => {
    const [ada, bob] = [await app.person(), await app.person()];
    const project = await app.project(ada.token);
    const path = `/v1/projects/${project.id}/access_requests`;
    expect((await app.call('POST', path, { token: ada.token })).status).toBe(409);
    expect(
      (await app.call('POST', `/v1/projects/${crypto.randomUUID()}/access_requests`, { token: bob.token })).status,
    ).toBe(404);
    const { body } = await app.call<AccessRequest>('POST', path, { token: bob.token });
    expect((await app.call<AccessRequest>('DELETE', `${path}/${body.id}`, { token: bob.token })).body.status).toBe(
      'canceled',
    );
    expect((await app.call('POST', `${path}/${body.id}/approve`, { token: ada.token })).status).toBe(409);
    expect((await newsOf(bob.token)).total).toBe(0);
  });
});

test('a project waits for somebody without an account, and is theirs once they prove the address', async () => {
  const ada = await app.person();
  const project = await app.project(ada.token, { create_main_file: true });
  const path = `/v1/notebooks/${project.id}`;
  const invite = (email: string) =>
    app.call('POST', `${path}/invites`, { token: ada.token, body: { email, permissions: ['edit'], message: 'Come' } });
  expect(await invite('Grace@Example.org')).toMatchObject({
    status: 200,
    body: { email: 'grace@example.org', status: 'pending' },
  });
  await invite('grace@example.org');
  const [mail] = (await app.deliveredMails()).filter(({ to }) => to === 'grace@example.org');
  expect(mail?.text).toContain('/sign-up?return_to=');
  expect(
    (await app.call('GET', `${path}/invites`, { token: ada.token, query: { search: 'grace' } })).body,
  ).toMatchObject({ total: 1 });
  const grace = await app.person('grace');
  await app.deliveredMails();
  const see = () => app.call('GET', path, { token: grace.token });
  expect((await see()).status, 'an address that is not proven could be anybody’s').toBe(404);
  const confirmation = app.mails.findLast(
    ({ to, subject }) => to === 'grace@example.org' && subject.includes('Confirm'),
  );
  const redeemed = await app.post(grace.token, '/v1/email_confirmation/redeem', { token: tokenIn(confirmation) });
  expect(redeemed.status).toBe(200);
  await app.deliveredMails();
  expect((await see()).status).toBe(200);
  expect((await app.call('GET', `${path}/invites`, { token: ada.token })).body).toMatchObject({ total: 0 });
  expect((await newsOf(ada.token)).entries).toMatchObject([
    { type: 'project_invite_accepted', source_user: { id: grace.id } },
  ]);
  expect((await newsOf(grace.token)).entries).toMatchObject([{ type: 'project_shared', source_user: { id: ada.id } }]);
  const activity = await app.call<{ entries: { action: string }[] }>('GET', `${path}/activity`, { token: ada.token });
  expect(activity.body.entries.map(({ action }) => action)).toEqual([
    'project.invite_accepted',
    'project.invited',
    'project.invited',
    'project.created',
  ]);
});
