import { type FeatureName, rawContract, topicName, topics } from '@atoll/contract';
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
    const answer = await app.call<{ details?: { reason?: string } }>(method, path.replace(/\{\w+\}/g, newId()), {
      token,
      ...(method === 'GET' ? {} : { body: {} }),
    });
    const isOff = answer.status === 403 && answer.body.details?.reason === 'disabled_in_configuration';
    if (isOff) names.push(`${method} ${path}`);
  }
  return names;
}

const all = flagged.map(({ method, path }) => `${method} ${path}`);

test('there are flagged endpoints, and they work for who has the features', async () => {
  const app = await createTestApp();
  expect(flags).toEqual(expect.arrayContaining(['teams', 'notifications', 'kernels', 'export', 'versions']));
  expect(await refused(app, (await app.person()).token)).toEqual([]);
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
  expect(await refused(app, eve.token)).toEqual([]);
});

test('a plan without a feature is refused, an administrator is not', async () => {
  const app = await createTestApp();
  const ctx = app.app.system();
  const actor = { ...ctx.actor, kind: 'user' as const, userId: newId() };
  const asked = (fields: object) => () =>
    checkFlag({ config: ctx.config, state: ctx.state, actor: { ...actor, ...fields } }, 'gpu');
  expect(asked({ planFeatures: { gpu: false } })).toThrow('Your plan or role does not include this.');
  expect(asked({ planFeatures: {} })).not.toThrow();
  expect(asked({ planFeatures: { gpu: false }, isAdmin: true })).not.toThrow();
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
    response: { reason: 'disabled_in_configuration' },
  });
});
