import type {
  JoinRequest,
  Notification,
  ProjectDetail,
  Team,
  TeamDetail,
  TeamInvite,
  TeamMember,
} from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';

type List<Entry> = { entries: Entry[]; total: number };

async function setUp(discovery = 'private') {
  const app = await createTestApp();
  const [ada, bob, eve] = [await app.person('ada'), await app.person('bob'), await app.person('eve')];
  for (const { id } of [ada, bob, eve]) await app.confirm(id);
  const team = await app.post<TeamDetail>(ada.token, '/v1/teams', { name: 'Tide readers', discovery });
  expect(team.status).toBe(200);
  const path = `/v1/teams/${team.body.id}`;
  const call = <Body>(method: string, rest: string, token: string, body?: object) =>
    app.call<Body>(method, `${path}${rest}`, { token, body });
  const letIn = async (person: { id: string; token: string }, role = 'member') => {
    const link = await call<TeamInvite & { url: string }>('POST', '/invites', ada.token, { role });
    const invite = new URL(link.body.url).searchParams.get('invite') ?? '';
    expect((await call('POST', '/join', person.token, { invite })).status).toBe(200);
  };
  return { app, ada, bob, eve, team: team.body, path, call, letIn };
}

describe('a team', () => {
  test('is made once of each name, and only checked when asked to', async () => {
    const { app, ada, bob, team, call } = await setUp();
    const make = (body: object) => app.call<TeamDetail | null>('POST', '/v1/teams', { token: bob.token, body });
    expect(await make({ name: 'TIDE readers', dry_run: true })).toMatchObject({
      status: 422,
      body: { fields: { name: ['A team with this name already exists'] } },
    });
    expect(await make({ name: 'Free name', dry_run: true })).toMatchObject({ status: 200, body: null });
    expect((await make({ name: 'tide READERS' })).status).toBe(422);
    expect(team).toMatchObject({
      membership_status: 'owner',
      users_count: 1,
      projects_count: 0,
      is_discoverable: false,
      last_members: [{ id: ada.id, role: 'owner' }],
      permissions: ['view', 'share_to', 'edit', 'delete', 'transfer'],
    });
    expect((await call('GET', '', bob.token)).status).toBe(404);
    const list = (token: string, mode: string) => app.call<List<Team>>('GET', '/v1/teams', { token, query: { mode } });
    expect((await list(ada.token, 'my')).body).toMatchObject({ total: 1, page: 0 });
    expect((await list(bob.token, 'all')).body.total).toBe(0);
    await call('PATCH', '', ada.token, { discovery: 'public', description: 'We *read*', icon: '🌊' });
    expect((await list(bob.token, 'discoverable')).body.entries).toMatchObject([
      { id: team.id, is_join_approvable: true, membership_status: 'not_member', permissions: ['view'], icon: '🌊' },
    ]);
    expect((await call('PATCH', '', bob.token, { name: 'Mine' })).status).toBe(403);
  });

  test('can be found only when its maker has proven an address', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const answer = await app.call('POST', '/v1/teams', { token, body: { name: 'Shown', discovery: 'open' } });
    expect(answer).toMatchObject({ status: 403, body: { details: { reason: 'no_permissions' } } });
  });

  test('has roles: guests look, members share, administrators see to it, one owner', async () => {
    const { ada, bob, eve, call, letIn } = await setUp();
    await letIn(bob, 'admin');
    await letIn(eve, 'guest');
    const members = await call<List<TeamMember>>('GET', '/members', eve.token);
    expect(members.body.entries.map(({ user, role }) => [user.id, role])).toEqual([
      [ada.id, 'owner'],
      [bob.id, 'admin'],
      [eve.id, 'guest'],
    ]);
    expect((await call('PATCH', `/members/${bob.id}`, eve.token, { role: 'guest' })).status).toBe(403);
    expect((await call<TeamMember>('PATCH', `/members/${eve.id}`, bob.token, { role: 'member' })).body.role).toBe(
      'member',
    );
    expect((await call('PATCH', `/members/${ada.id}`, bob.token, { role: 'member' })).status).toBe(403);
    expect((await call('PATCH', `/members/${eve.id}`, bob.token, { role: 'owner' })).status).toBe(422);
    expect((await call('POST', '/leave', ada.token)).status).toBe(409);
    expect((await call('PATCH', '/owner', bob.token, { user_id: bob.id })).status).toBe(403);
    expect((await call<TeamDetail>('PATCH', '/owner', ada.token, { user_id: eve.id })).body).toMatchObject({
      membership_status: 'admin',
    });
    expect((await call('POST', '/leave', ada.token)).status).toBe(200);
    expect((await call('GET', '', ada.token)).status).toBe(404);
    expect((await call<TeamDetail>('GET', '', eve.token)).body).toMatchObject({
      membership_status: 'owner',
      users_count: 2,
    });
  });

  test('goes on without its owner when the account is deleted, and ends with its last member', async () => {
    const { app, ada, bob, eve, call, letIn, team } = await setUp();
    await letIn(eve, 'member');
    await letIn(bob, 'admin');
    await app.database.db.delete(users).where(eq(users.id, ada.id));
    expect((await call<TeamDetail>('GET', '', bob.token)).body).toMatchObject({
      membership_status: 'owner',
      users_count: 2,
      created_by: null,
    });
    await app.database.db.delete(users).where(eq(users.id, bob.id));
    expect((await call<TeamDetail>('GET', '', eve.token)).body.membership_status).toBe('owner');
    await app.database.db.delete(users).where(eq(users.id, eve.id));
    expect((await app.call('GET', `/v1/teams/${team.id}`, { token: (await app.admin()).token })).status).toBe(404);
  });
});

describe('coming in', () => {
  test('of two administrators who answer at once one wins, and the other is told', async () => {
    const { app, ada, bob, eve, call, letIn } = await setUp('public');
    await letIn(bob, 'admin');
    const { body: request } = await call<JoinRequest>('POST', '/join_requests', eve.token, { reason: 'Tides!' });
    expect(request).toMatchObject({ status: 'pending', reason: 'Tides!' });
    expect((await call<JoinRequest>('POST', '/join_requests', eve.token)).body.id).toBe(request.id);
    expect((await call<TeamDetail>('GET', '', eve.token)).body).toMatchObject({
      membership_status: 'pending',
      join_request_id: request.id,
    });
    expect((await call<TeamDetail>('GET', '', ada.token)).body.pending_requests).toBe(1);
    const answers = await Promise.all([
      call<JoinRequest>('POST', `/join_requests/${request.id}/approve`, ada.token),
      call<JoinRequest>('POST', `/join_requests/${request.id}/reject`, bob.token),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200)?.body;
    const lost = answers.find(({ status }) => status === 409)?.body as unknown as { message: string; details: object };
    expect(lost.details).toMatchObject({ status: won?.status });
    expect(lost.message).toContain(`@${won?.answered_by?.user_name}`);
    const status = (await call<TeamDetail>('GET', '', eve.token)).body.membership_status;
    expect(status).toBe(won?.status === 'approved' ? 'member' : 'not_member');
    await app.deliveredMails();
    expect((await app.notifications(eve.token)).map(({ type }) => type)).toEqual([`team_join_${won?.status}`]);
  });

  test('a request that was answered or taken back cannot change any more', async () => {
    const { ada, eve, call } = await setUp('public');
    const { body: first } = await call<JoinRequest>('POST', '/join_requests', eve.token);
    expect((await call('DELETE', `/join_requests/${first.id}`, ada.token)).status).toBe(404);
    expect((await call<JoinRequest>('DELETE', `/join_requests/${first.id}`, eve.token)).body.status).toBe('canceled');
    for (const [method, rest] of [
      ['POST', '/approve'],
      ['POST', '/reject'],
    ] as const)
      expect((await call(method, `/join_requests/${first.id}${rest}`, ada.token)).status).toBe(409);
    expect((await call('GET', '/join_requests/active', eve.token)).body).toBeNull();
    const { body: second } = await call<JoinRequest>('POST', '/join_requests', eve.token);
    await call('POST', `/join_requests/${second.id}/reject`, ada.token);
    expect((await call('DELETE', `/join_requests/${second.id}`, eve.token)).status).toBe(409);
  });

  test('an open team is joined at once; a private one is by invitation, to a proven address only', async () => {
    const { app, ada, bob, eve, call, path } = await setUp('open');
    expect((await call<JoinRequest>('POST', '/join_requests', bob.token)).body.status).toBe('approved');
    await call('PATCH', '', ada.token, { discovery: 'private' });
    expect((await call('POST', '/join_requests', eve.token)).status).toBe(404);
    expect((await call('POST', '/join', eve.token)).status).toBe(404);
    const { body: invite } = await call<TeamInvite & { url: null }>('POST', '/invites', ada.token, {
      email: 'EVE@Example.org',
      role: 'guest',
      message: '<b>Come</b>',
    });
    expect(invite).toMatchObject({ email: 'eve@example.org', url: null });
    const mail = (await app.deliveredMails()).find(({ to }) => to === 'eve@example.org');
    const sent = app.mails.filter(({ subject }) => subject.includes('Tide readers'));
    expect(mail).toBeDefined();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.html).toContain('&lt;b&gt;Come&lt;/b&gt;');
    expect(sent[0]?.text).toContain(`${app.config.url}/teams/`);
    expect((await call<TeamDetail>('GET', '', eve.token)).body.is_invited).toBe(true);
    await app.database.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, eve.id));
    expect((await call('GET', '', eve.token)).status).toBe(404);
    await app.confirm(eve.id);
    expect((await call<TeamDetail>('POST', '/join', eve.token)).body.membership_status).toBe('guest');
    expect((await app.call<List<TeamInvite>>('GET', `${path}/invites`, { token: ada.token })).body.total).toBe(0);
    await app.deliveredMails();
    expect(await app.notifications(ada.token)).toMatchObject([
      { type: 'team_invite_accepted', source_user: { id: eve.id } },
    ]);
    expect((await call('POST', '/invites', ada.token, { email: 'eve@example.org' })).status).toBe(422);
  });

  test('a link works until it is taken back or too old', async () => {
    const { app, ada, bob, eve, call } = await setUp();
    const { body: link } = await call<TeamInvite & { url: string }>('POST', '/invites', ada.token, {});
    const invite = new URL(link.url).searchParams.get('invite') ?? '';
    expect(
      (await app.call<TeamDetail>('GET', `/v1/teams/${new URL(link.url).pathname.slice(7)}`, { query: { invite } }))
        .status,
    ).toBe(200);
    expect((await call<TeamDetail>('POST', '/join', bob.token, { invite })).body.membership_status).toBe('member');
    await call('DELETE', `/invites/${link.id}`, ada.token);
    expect((await call('POST', '/join', eve.token, { invite })).status).toBe(404);
    const { body: old } = await call<TeamInvite & { url: string }>('POST', '/invites', ada.token, {});
    app.clock.advance(31 * 24 * 60 * 60_000);
    const again = await app.call<{ token: string }>('POST', '/v1/sign_in', {
      body: { email: 'eve@example.org', password: 'correct horse battery' },
    });
    const late = new URL(old.url).searchParams.get('invite') ?? '';
    expect((await call('POST', '/join', again.body.token, { invite: late })).status).toBe(404);
  });
});

describe('projects of a team', () => {
  test('are there for its members, for its guests to look at, and gone with the membership', async () => {
    const { app, ada, bob, eve, team, call, letIn } = await setUp();
    await letIn(bob);
    await letIn(eve, 'guest');
    const project = await app.project(ada.token, { create_main_file: true });
    const path = `/v1/notebooks/${project.id}`;
    const share = (token: string, permissions: string[]) =>
      app.call<{ id: string }>('POST', `${path}/team_permissions`, { token, body: { team_id: team.id, permissions } });
    const { body: grant, status } = await share(ada.token, ['edit', 'execute']);
    expect(status).toBe(200);
    const view = (token: string) => app.call<ProjectDetail>('GET', path, { token });
    expect((await view(bob.token)).body).toMatchObject({
      is_shared: true,
      user_permission_id: null,
      permissions: ['view', 'view_source', 'comment', 'edit', 'execute', 'view_history'],
    });
    expect((await view(eve.token)).body.permissions).toEqual(['view', 'view_source', 'view_history']);
    const shared = async (token: string) =>
      (await app.call<List<{ id: string }>>('GET', '/v1/notebooks', { token, query: { mode: 'shared' } })).body.total;
    expect([await shared(bob.token), await shared(eve.token), await shared(ada.token)]).toEqual([1, 1, 0]);
    expect((await call<List<ProjectDetail>>('GET', '/notebooks', eve.token)).body.entries).toMatchObject([
      { id: project.id, permissions: ['view', 'view_source', 'view_history'] },
    ]);
    expect((await call<TeamDetail>('GET', '', eve.token)).body.projects_count).toBe(1);

    // What is open ends within moments of losing the right.
    const bobs = await join(await connect(app, bob.token), `project_files:${project.id}`);
    expect((await call('DELETE', `/members/${bob.id}`, ada.token)).status).toBe(200);
    expect(await bobs.event('access_lost')).toMatchObject({ reason: 'no_permissions' });
    expect((await view(bob.token)).status).toBe(404);
    const eves = await join(await connect(app, eve.token), `project_files:${project.id}`);
    expect((await app.call('DELETE', `${path}/team_permissions/${grant.id}`, { token: ada.token })).status).toBe(200);
    expect(await eves.event('access_lost')).toMatchObject({ reason: 'no_permissions' });
    expect((await view(eve.token)).status).toBe(404);
    expect((await call<TeamDetail>('GET', '', eve.token)).body.projects_count).toBe(0);
  });

  test('are shared only to one’s own teams, not as their guest, and not with what one has not', async () => {
    const { app, bob, eve, team, letIn, ada } = await setUp('public');
    await letIn(bob, 'guest');
    const project = await app.project(bob.token);
    const share = (token: string, id: string, permissions = ['view']) =>
      app.call('POST', `/v1/notebooks/${id}/team_permissions`, { token, body: { team_id: team.id, permissions } });
    expect((await share(bob.token, project.id)).status).toBe(422);
    expect((await share(eve.token, (await app.project(eve.token)).id)).status).toBe(422);
    await app.share(bob.token, project.id, ada.id, ['share']);
    expect((await share(ada.token, project.id, ['edit'])).status).toBe(403);
    expect((await share(ada.token, project.id, ['view'])).status).toBe(200);
  });

  test('stay with their owners when the team is deleted, and nothing of it is left', async () => {
    const { app, ada, bob, team, call, letIn } = await setUp();
    await letIn(bob);
    const project = await app.project(ada.token, { create_main_file: true });
    await app.post(ada.token, `/v1/notebooks/${project.id}/team_permissions`, {
      team_id: team.id,
      permissions: ['edit'],
    });
    await app.deliveredMails();
    await app.app.jobs.settled();
    const news = () => app.notifications(bob.token);
    expect(await news()).toMatchObject([{ type: 'team_project_shared', project: { id: project.id } }]);
    const open = await join(await connect(app, bob.token), `project_files:${project.id}`);
    expect((await call('DELETE', '', bob.token)).status).toBe(403);
    expect((await call('DELETE', '', ada.token)).status).toBe(200);
    expect(await open.event('access_lost')).toMatchObject({ reason: 'no_permissions' });
    expect((await app.call('GET', `/v1/notebooks/${project.id}`, { token: bob.token })).status).toBe(404);
    expect((await app.call<ProjectDetail>('GET', `/v1/notebooks/${project.id}`, { token: ada.token })).status).toBe(
      200,
    );
    await app.deliveredMails();
    expect(await news()).toMatchObject([
      { type: 'team_removed', metadata: { excerpt: 'Tide readers', reason: 'deleted' }, subject_team: null },
    ]);
  });

  test('what happens in it is told on its page, to its members', async () => {
    const { app, ada, bob, eve, call, path, letIn } = await setUp('public');
    await letIn(bob);
    await call('PATCH', `/members/${bob.id}`, ada.token, { role: 'admin' });
    await call('PATCH', '', ada.token, { description: 'Tides' });
    const project = await app.project(ada.token);
    const grants = `/v1/notebooks/${project.id}/team_permissions`;
    const grant = await app.post<{ id: string }>(ada.token, grants, {
      team_id: path.split('/').at(-1),
      permissions: ['view'],
    });
    await app.call('DELETE', `${grants}/${grant.body.id}`, { token: ada.token });
    await app.deliveredMails();
    const feed = await call<List<Notification>>('GET', '/notifications', bob.token);
    expect(feed.body.entries.map(({ type, subject_user }) => [type, subject_user?.id])).toEqual([
      ['team_project_unshared', undefined],
      ['team_project_shared', undefined],
      ['team_changed', undefined],
      ['team_role_changed', bob.id],
      ['team_joined', bob.id],
    ]);
    expect((await call('GET', '/notifications', eve.token)).status).toBe(403);
  });
});
