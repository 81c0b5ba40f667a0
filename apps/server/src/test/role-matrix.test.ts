import { type Permission, permissions, sharingPresets } from '@atoll/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectGrants } from '../features/projects/table.ts';
import { teamMembers } from '../features/teams/table.ts';
import { newId } from '../platform/db/columns.ts';
import { contractEndpoints } from '../platform/http/contract-endpoints.ts';
import { leastInput } from './least-input.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/**
 * Who may do what with one private project and one private team: every endpoint that names one × everybody it could concern.
 * The expectation is written down by hand, apart from the rules; an endpoint whose permission has no row fails.
 */
const projectCallers = [
  'anonymous',
  'guest',
  'stranger',
  'viewer',
  'editor',
  'team_guest',
  'team_member',
  'owner',
  'admin',
] as const;
type ProjectCaller = (typeof projectCallers)[number];
const looking: ProjectCaller[] = ['viewer', 'editor', 'team_guest', 'team_member', 'owner', 'admin'];
const working: ProjectCaller[] = ['editor', 'team_member', 'owner', 'admin'];
const owning: ProjectCaller[] = ['owner', 'admin'];

const ofProject: Partial<Record<Permission, ProjectCaller[]>> = {
  'project.view': looking,
  'project.view_source': looking,
  'project.view_history': looking,
  'project.copy_link': looking,
  // The secret decides, not who asks.
  'project.open_link': projectCallers.filter((caller) => caller !== 'anonymous'),
  'project.unshare': looking,
  'project.edit': working,
  'project.execute': working,
  'project.clone': working,
  'project.export': working,
  'project.export_data': working,
  'project.view_analytics': owning,
  'project.embed': owning,
  'project.share': owning,
  'project.delete': owning,
  'project.delete_permanently': owning,
  'project.transfer': owning,
  // None of them is offered it; whoever sees the project learns that.
  'project.answer_offer': looking,
  'project.accept_code': ['owner'],
  'schedule.view': looking,
  'schedule.edit': working,
  'comment.view': looking,
  'comment.create': working,
  'comment.edit': looking,
};

const teamCallers = [
  'anonymous',
  'guest',
  'stranger',
  'team_guest',
  'team_member',
  'team_admin',
  'owner',
  'admin',
] as const;
type TeamCaller = (typeof teamCallers)[number];
const inside: TeamCaller[] = ['team_guest', 'team_member', 'team_admin', 'owner', 'admin'];

const ofTeam: Partial<Record<Permission, TeamCaller[]>> = {
  'team.view': inside,
  'team.join': inside,
  'team.leave': inside,
  'team.edit': ['team_admin', 'owner', 'admin'],
  'team.delete': ['owner', 'admin'],
  'team.transfer': ['owner', 'admin'],
};

/** After one of these there is nothing left for the next caller. */
const isFinal = (name: string) => /^(DELETE|PATCH) \/v1\/(notebooks|teams)\/\{id\}(\/owner)?$/.test(name);

/** An administrator of the product sees every team and joins by an invitation, like anybody. */
const exceptions: Record<string, readonly string[]> = {
  'POST /v1/teams/{id}/join': inside.filter((caller) => caller !== 'admin'),
};

const invalid = '422 unprocessable_entity';
const notFound = '404 not_found';
const conflict = '409 conflict';
const noTable = '415 unsupported_media_type';

/** What those are answered who may, where that is not 200, or 404 for the ids in the path that were made up. */
const answers: Record<string, readonly string[]> = {
  'DELETE /v1/notebooks/{id}/permanently': [conflict],
  'PATCH /v1/notebooks/{id}/owner': [invalid],
  'DELETE /v1/notebooks/{id}/offer': [notFound],
  'POST /v1/notebooks/{id}/offer/accept': [notFound],
  'POST /v1/notebooks/{id}/offer/decline': [notFound],
  'POST /v1/notebooks/{id}/thumbnail': [invalid],
  'POST /v1/notebooks/{id}/showcase_media': [invalid],
  'PATCH /v1/notebooks/{id}/files-dirs': [notFound],
  'DELETE /v1/notebooks/{id}/files-dirs': [notFound],
  // Done by the first of them, so the others find it there, or gone.
  'POST /v1/notebooks/{id}/files-dirs': ['200', invalid],
  'POST /v1/notebooks/{id}/files-contents': ['200', invalid],
  'DELETE /v1/notebooks/{id}/files/{fileId}': ['200', notFound],
  'GET /v1/notebooks/{id}/files/{fileId}/data': [noTable],
  'GET /v1/notebooks/{id}/files/{fileId}/data/statistics': [noTable],
  'GET /v1/projects/{id}/files/{fileId}/notebook/outputs': [notFound],
  'POST /v1/notebooks/{id}/user_permissions': [invalid],
  'POST /v1/notebooks/{id}/team_permissions': [invalid],
  'POST /v1/notebooks/{id}/link/open': [notFound],
  'POST /v1/teams/{id}/thumbnail': [invalid],
  'PATCH /v1/teams/{id}/owner': [invalid],
  // Members cannot ask to join. The owner cannot leave, nor can an administrator of the product, who is no member.
  'POST /v1/teams/{id}/join_requests': ['200', conflict],
  'POST /v1/teams/{id}/leave': ['200', conflict],
};
const answersTo = (name: string): readonly string[] =>
  answers[name] ?? [/\{(?!id|fileId)\w+\}/.test(name) ? notFound : '200'];

type Place = Awaited<ReturnType<typeof fresh>>;
const inputOf = (method: string, path: string, { projectId }: Place) =>
  path.endsWith('/cloned-ids') ? { body: { file_ids: [], clone_notebook_id: projectId } } : leastInput(method, path);

let app: TestApp;
let tokens: Record<string, string | null>;
let ids: Record<string, string>;

async function fresh() {
  const owner = { token: tokens.owner };
  const project = await app.project(tokens.owner ?? '', { create_main_file: true });
  const team = await app.call<{ id: string }>('POST', '/v1/teams', { ...owner, body: { name: `Team ${newId()}` } });
  const createdAt = new Date(app.clock.time);
  const { db } = app.database;
  await db.insert(teamMembers).values(
    (['guest', 'member', 'admin'] as const).map((role) => ({
      teamId: team.body.id,
      userId: ids[`team_${role}`] ?? '',
      role,
      createdAt,
    })),
  );
  await db.insert(projectGrants).values([
    { projectId: project.id, userId: ids.viewer ?? '', permissions: [...sharingPresets.viewer], createdAt },
    { projectId: project.id, userId: ids.editor ?? '', permissions: [...sharingPresets.editor], createdAt },
    { projectId: project.id, teamId: team.body.id, permissions: [...sharingPresets.editor], createdAt },
  ]);
  return { projectId: project.id, teamId: team.body.id, fileId: project.default_file_id ?? '' };
}

beforeAll(async () => {
  app = await createTestApp({ keepOpen: true });
  tokens = { anonymous: null, guest: (await app.guest()).token };
  ids = {};
  for (const name of ['stranger', 'viewer', 'editor', 'team_guest', 'team_member', 'team_admin', 'owner', 'admin']) {
    const person = await app.person();
    tokens[name] = person.token;
    ids[name] = person.id;
    if (name === 'admin' || name === 'owner') await app.database.db.execute(`update users set plan = 'Enterprise'`);
  }
  await app.promote(ids.admin ?? '');
});
afterAll(() => app.close());

const named = contractEndpoints().filter(({ path }) => /^\/v1\/(notebooks|projects|teams)\/\{id\}/.test(path));
const rowOf = (permission: Permission): readonly string[] | undefined => ofTeam[permission] ?? ofProject[permission];
/** Decided by the request itself, and tried beside its service. */
const elsewhere = permissions.filter((permission) => permission.startsWith('access_request.'));

describe('every endpoint of a project or team for everybody it could concern', () => {
  test('has a row in the table', () => {
    const without = named.filter(({ permission }) => !rowOf(permission) && !elsewhere.includes(permission));
    expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const names = named.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(answers).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(
    named.filter(({ permission }) => rowOf(permission)).map((each) => [`${each.method} ${each.path}`, each] as const),
  )('%s', async (name, { method, path, permission }) => {
    const isTeam = permission in ofTeam;
    let place = await fresh();
    const allowed: string[] = [];
    const given = new Set<string>();
    for (const caller of isTeam ? teamCallers : projectCallers) {
      const address = path
        .replace('{id}', isTeam ? place.teamId : place.projectId)
        .replace('{fileId}', place.fileId)
        .replace(/\{\w+\}/g, newId());
      const { status, body } = await app.call(method, address, {
        token: tokens[caller] ?? null,
        ...inputOf(method, path, place),
      });
      const isHidden = status === 404 && /^This (project|team) /.test(body?.message ?? '');
      const isRefused = status === 401 || status === 403 || isHidden;
      if (isRefused) continue;
      allowed.push(caller);
      const answer = status < 400 ? String(status) : `${status} ${body.code}`;
      expect(answersTo(name), `${caller}: ${JSON.stringify(body)}`).toContain(answer);
      given.add(answer);
      if (isFinal(name)) place = await fresh();
    }
    expect(allowed).toEqual(exceptions[name] ?? rowOf(permission));
    expect(given).toEqual(new Set(answersTo(name)));
  });
});
