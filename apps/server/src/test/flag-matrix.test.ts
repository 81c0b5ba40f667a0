import { type FeatureName, featureNames, rawContract, topicName, topics, unbuiltFeatures } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { roles, userRoles, users } from '../features/users/table.ts';
import { newId } from '../platform/db/columns.ts';
import { checkFlag } from '../platform/flags/check-flag.ts';
import { contractEndpoints } from '../platform/http/contract-endpoints.ts';
import { connect, join } from './realtime-client.ts';
import { createTestApp, type TestApp } from './test-app.ts';

const raw = Object.values(rawContract).flatMap((group) => Object.values(group));
const flagged = [...contractEndpoints(), ...raw].filter(({ flag }) => flag);
const flags = [...new Set(flagged.flatMap(({ flag }) => flag ?? []))];
const allOff = Object.fromEntries(flags.map((flag) => [flag, false])) as Record<FeatureName, boolean>;

/** Of every flagged endpoint: which were refused because of their flag. */
async function refused(app: TestApp, token: string): Promise<string[]> {
  const names: string[] = [];
  for (const { method, path } of flagged) {
    const answer = await app.call<{ message: string; details?: { reason?: string } }>(
      method,
      path.replace(/\{\w+\}/g, newId()),
      {
        token,
        ...(method === 'GET' ? {} : { body: {} }),
      },
    );
    const { message, details } = answer.body;
    const isOff = details?.reason === 'disabled_in_configuration' || message === offForPerson;
    if (isOff) names.push(`${method} ${path}`);
  }
  return names;
}

const unbuilt = flagged
  .filter(({ flag }) => flag && unbuiltFeatures.has(flag))
  .map(({ method, path }) => `${method} ${path}`);
const offForPerson = 'Your plan or role does not include this.';
const all = flagged.map(({ method, path }) => `${method} ${path}`);

test('there are flagged endpoints, and they work for who has the features', async () => {
  const app = await createTestApp();
  expect(flags).toEqual(expect.arrayContaining(['teams', 'notifications', 'kernels', 'export', 'versions']));
  expect(await refused(app, (await app.person()).token)).toEqual(unbuilt);
});

test('every flagged endpoint is off where the installation turned it off, for administrators too', async () => {
  const app = await createTestApp({ env: { ATOLL_FEATURES_OFF: flags.join(',') } });
  const person = await app.person();
  expect(await refused(app, person.token)).toEqual(all);
  await app.database.db.update(users).set({ role: 'admin' }).where(eq(users.id, person.id));
  expect(await refused(app, person.token)).toEqual(all);
});

test('every flagged endpoint is off for a person, or for a role; nobody else notices', async () => {
  const app = await createTestApp();
  const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
  await app.database.db.update(users).set({ features: allOff }).where(eq(users.id, ada.id));
  expect(await refused(app, ada.token)).toEqual(all);
  const roleId = newId();
  await app.database.db.insert(roles).values({ id: roleId, name: 'Readers', features: allOff, createdAt: new Date() });
  await app.database.db.insert(userRoles).values({ userId: bob.id, roleId });
  expect(await refused(app, bob.token)).toEqual(all);
  expect(await refused(app, eve.token)).toEqual(unbuilt);
});

test('a plan without a feature is refused, an administrator is not', async () => {
  const app = await createTestApp();
  const ctx = app.app.system();
  const actor = { ...ctx.actor, kind: 'user' as const, userId: newId() };
  const asked = (fields: object) => () =>
    checkFlag({ config: ctx.config, state: ctx.state, actor: { ...actor, ...fields } }, 'export');
  expect(asked({ planFeatures: { export: false } })).toThrow(offForPerson);
  expect(asked({ planFeatures: {} })).not.toThrow();
  expect(asked({ planFeatures: { export: false }, isAdmin: true })).not.toThrow();
});

test('commands of a topic are flagged too: who may not run code reads the notebook', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const project = await app.project(ada.token, { create_main_file: true });
  await app.database.db
    .update(users)
    .set({ features: { kernels: false } })
    .where(eq(users.id, ada.id));
  const topic = topicName(topics.notebook, {
    projectId: project.id,
    fileId: project.default_file_id ?? '',
  });
  const notebook = await join(await connect(app, ada.token), topic);
  await expect(notebook.push('get_notebook', {})).resolves.toBeDefined();
  await expect(notebook.push('execute_all_cells', { request_id: newId() })).rejects.toMatchObject({
    response: { reason: 'no_permissions' },
  });
});

test('every feature guards an endpoint, a topic or a command, is tested by name here, or is not built and says so', () => {
  const topicFlags = Object.values(topics).flatMap(({ flag, commands }) => [
    flag,
    ...Object.values(commands).map((command) => command.flag),
  ]);
  const guarded = new Set<FeatureName | null | undefined>([...flags, ...topicFlags, ...guardedWithin]);
  const idle = featureNames.filter((name) => !guarded.has(name) && !unbuiltFeatures.has(name));
  expect(idle).toEqual([]);
  expect(guardedWithin.filter((name) => unbuiltFeatures.has(name))).toEqual([]);
});

/** Each is off in one of the tests below, or in the tests of its own feature. */
const guardedWithin: FeatureName[] = [
  'automation',
  'canvas',
  'excel',
  'execute_with_parameters',
  'input_cells',
  'publish_globally',
  'reports_only',
];

test('what lies within an endpoint or a command is off too, and what is not built is never on', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const project = await app.project(ada.token, { create_main_file: true });
  const table = await app.createFile(ada.token, project.id, 'tides.xlsx', 'not a table');
  const create = async (body: object) =>
    (await app.call('POST', '/v1/notebooks', { token: ada.token, body: { name: 'x', ...body } })).status;
  for (const kind of ['pipeline', 'pasa', 'agent', 'chat', 'ai', 'bi'])
    expect(await create({ kind, create_main_file: true }), kind).toBe(403);
  expect(await create({ kind: 'canvas', create_main_file: true })).toBe(200);
  const set = (features: Partial<Record<FeatureName, boolean>>) =>
    app.database.db.update(users).set({ features }).where(eq(users.id, ada.id));
  const status = async (method: 'GET' | 'POST', path: string) =>
    (await app.call(method, path, { token: ada.token, ...(method === 'GET' ? {} : { body: {} }) })).status;

  await set({ canvas: false, input_cells: false, excel: false, automation: false });
  expect(await create({ kind: 'canvas', create_main_file: true })).toBe(403);
  expect((await app.createFile(ada.token, project.id, 'board.mpsw', '')).status).toBe(403);
  expect(await status('GET', `/v1/notebooks/${project.id}/files/${table.body.id}/data`)).toBe(403);
  expect(await status('GET', '/v1/schedules')).toBe(403);
  const params = { projectId: project.id, fileId: project.default_file_id ?? '' };
  const notebook = await join(await connect(app, ada.token), topicName(topics.notebook, params));
  const insert = (type: string) =>
    notebook.push('insert_cell', { request_id: newId(), after_id: null, cell: { id: type, type, source: '' } });
  await expect(insert('input')).rejects.toMatchObject({ response: { reason: 'no_permissions' } });
  await expect(insert('code')).resolves.toBeDefined();

  await set({ reports_only: true });
  expect([await status('GET', '/v1/notebooks'), await create({})]).toEqual([403, 403]);
  expect(await status('GET', '/v1/publications')).toBe(200);
});

test('the variant that is about reading has no editor for guests, and one for people', async () => {
  const app = await createTestApp({ env: { ATOLL_PLATFORM: 'dpasa' } });
  const create = async ({ token }: { token: string }) =>
    (await app.call('POST', '/v1/notebooks', { token, body: { name: 'x' } })).status;
  expect([await create(await app.guest()), await create(await app.person())]).toEqual([403, 200]);
});
