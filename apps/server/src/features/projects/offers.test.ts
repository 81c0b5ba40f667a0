import type { ProjectDetail, ProjectOffer, Run, Schedule } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { code } from '../../test/set-ups/notebooks.ts';
import { createSharedApp, createTestApp } from '../../test/test-app.ts';
import { kernelSessions } from '../kernels/table.ts';
import { users } from '../users/table.ts';
import { projectOffers } from './table.ts';

const app = await createSharedApp();
const day = 24 * 60 * 60_000;
type Person = Awaited<ReturnType<typeof app.person>>;

const pathOf = (id: string) => `/v1/notebooks/${id}`;
const offer = ({ token }: Person, id: string, body: object) =>
  app.patch<ProjectDetail & { details: object; fields: object }>(token, `${pathOf(id)}/owner`, body);
const answer = ({ token }: Person, id: string, how: 'accept' | 'decline') =>
  app.post<ProjectDetail & { details: object }>(token, `${pathOf(id)}/offer/${how}`);
const withdraw = ({ token }: Person, id: string) => app.call('DELETE', `${pathOf(id)}/offer`, { token });
const see = ({ token }: Person, id: string) => app.get<ProjectDetail>(token, pathOf(id));
const offersOf = async ({ token }: Person) =>
  (await app.get<{ entries: ProjectOffer[] }>(token, '/v1/project_offers')).body.entries;
async function newsOf({ token }: Person) {
  await app.settled();
  return (await app.notifications(token)).map(({ type }) => type);
}

async function offered() {
  const [ada, bob] = [await app.person(), await app.person()];
  const { id } = await app.project(ada.token, { create_main_file: true });
  const answered = await offer(ada, id, { user_id: bob.id });
  expect(answered.status).toBe(200);
  return { ada, bob, id, body: answered.body };
}

describe('an offer', () => {
  test('leaves the project with its owner, lets the receiver read it, and hands it over when they accept', async () => {
    const { ada, bob, id, body } = await offered();
    expect(body).toMatchObject({ owner: { id: ada.id }, offer: { from: { id: ada.id }, to: { id: bob.id } } });
    await app.patch(ada.token, pathOf(id), { is_owner_author: false });
    expect((await see(bob, id)).body).toMatchObject({
      permissions: ['view', 'view_source', 'view_publications'],
      offer: { project: { id, name: 'Tides' }, to: { id: bob.id } },
    });
    expect((await app.get(bob.token, `${pathOf(id)}/files-dirs`)).status).toBe(200);
    expect((await app.patch(bob.token, pathOf(id), { name: 'Mine' })).status).toBe(403);
    const [eve, viewer] = [await app.person(), await app.person()];
    expect((await see(eve, id)).status).toBe(404);
    expect((await answer(eve, id, 'accept')).status).toBe(404);
    await app.share(ada.token, id, viewer.id, ['view']);
    expect((await see(viewer, id)).body.offer).toBeNull();
    for (const how of ['accept', 'decline'] as const) expect((await answer(viewer, id, how)).status).toBe(404);
    for (const person of [ada, bob]) expect(await offersOf(person)).toMatchObject([{ project: { id } }]);
    expect(await offersOf(viewer)).toEqual([]);
    expect(await newsOf(bob)).toEqual(['project_offered']);

    const accepted = await answer(bob, id, 'accept');
    expect(accepted.status).toBe(200);
    expect(accepted.body).toMatchObject({
      ...{ owner: { id: bob.id }, creator: { id: ada.id }, offer: null, is_awaiting_review: true },
      authors: [{ id: bob.id }],
    });
    expect((await see(ada, id)).status).toBe(404);
    expect(await newsOf(ada)).toEqual(['project_offer_accepted']);
    expect(await newsOf(bob)).toEqual(['project_offered']);
    expect((await answer(bob, id, 'accept')).status).toBe(404);
    expect(await offersOf(bob)).toEqual([]);
  });

  test('goes to a person by user name or address, and to no one else', async () => {
    const [ada, bob, carol] = [await app.person('gives'), await app.person('bob'), await app.person()];
    const { id } = await app.project(ada.token);
    for (const recipient of ['@Bob', 'BOB@example.org', 'bob']) {
      expect((await offer(ada, id, { recipient })).body.offer?.to.id).toBe(bob.id);
      expect((await withdraw(ada, id)).status).toBe(200);
    }
    await app.suspend(carol.id, 'Away');
    for (const body of [
      {},
      { recipient: 'nobody' },
      { recipient: 'gives' },
      { recipient: '' },
      { recipient: 'bob', user_id: bob.id },
    ]) {
      const refused = await offer(ada, id, body);
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['recipient']]);
    }
    for (const { id: user_id } of [await app.guest(), carol, ada])
      expect((await offer(ada, id, { user_id })).status).toBe(422);
    const guest = await app.guest();
    expect((await offer(guest, (await app.project(guest.token)).id, { user_id: bob.id })).status).toBe(403);
  });

  test('is one at a time, and ends by being withdrawn or declined', async () => {
    const { ada, bob, id } = await offered();
    expect((await offer(ada, id, { user_id: (await app.person()).id })).status).toBe(409);
    expect((await withdraw(bob, id)).status).toBe(403);
    expect((await withdraw(ada, id)).status).toBe(200);
    expect((await withdraw(ada, id)).status).toBe(404);
    expect([(await see(bob, id)).status, (await answer(bob, id, 'accept')).status]).toEqual([404, 404]);
    expect(await newsOf(bob)).toEqual(['project_offer_ended', 'project_offered']);
    await offer(ada, id, { user_id: bob.id });
    expect((await answer(bob, id, 'decline')).status).toBe(200);
    expect((await see(bob, id)).status).toBe(404);
    expect((await see(ada, id)).body).toMatchObject({ owner: { id: ada.id }, offer: null });
    expect(await newsOf(ada)).toEqual(['project_offer_declined']);
  });

  test('is void once the project is deleted, or an account of it is suspended', async () => {
    const admin = await app.person();
    await app.promote(admin.id);
    const binned = await offered();
    await app.call('DELETE', pathOf(binned.id), { token: binned.ada.token });
    await app.post(binned.ada.token, `${pathOf(binned.id)}/restore`);
    expect((await answer(binned.bob, binned.id, 'accept')).status).toBe(404);
    for (const side of ['ada', 'bob'] as const) {
      const all = await offered();
      await app.post(admin.token, `/v1/admin/users/${all[side].id}/suspend`, { message: 'Away' });
      // Before the event of it is handled, too.
      expect((await answer(all.bob, all.id, 'accept')).status).toBeGreaterThan(400);
      await app.settled();
      expect(await app.db.$count(projectOffers, eq(projectOffers.projectId, all.id))).toBe(0);
      await app.db.update(users).set({ suspendedAt: null }).where(eq(users.id, all[side].id));
      expect((await answer(all.bob, all.id, 'accept')).status).toBeGreaterThan(400);
    }
  });

  test('of an admin is void once they are none, and when the project has another owner', async () => {
    const [ada, bob, admin] = [await app.person(), await app.person(), await app.person()];
    await app.promote(admin.id);
    const { id } = await app.project(ada.token);
    expect((await offer(admin, id, { user_id: bob.id })).status).toBe(200);
    await app.db.update(users).set({ role: 'user' }).where(eq(users.id, admin.id));
    expect((await answer(bob, id, 'accept')).status).toBe(410);
    await app.promote(admin.id);
    const heir = await app.person();
    const body = { reason: 'Left', transfer_to_id: heir.id };
    expect((await app.call('DELETE', `/v1/admin/users/${ada.id}`, { token: admin.token, body })).status).toBe(200);
    expect((await answer(bob, id, 'accept')).status).toBe(404);
    expect((await see(heir, id)).body).toMatchObject({ owner: { id: heir.id }, offer: null });
    expect(await newsOf(heir)).toEqual(['project_transferred']);
  });

  test('is accepted only where the plan has room', async () => {
    const { bob, id } = await offered();
    const mine: string[] = [];
    for (let count = 0; count < 5; count++) mine.push((await app.project(bob.token)).id);
    const refused = await answer(bob, id, 'accept');
    expect(refused).toMatchObject({ status: 403, body: { details: { reason: 'usage_limit_reached', limit: 5 } } });
    await app.call('DELETE', pathOf(mine[0] ?? ''), { token: bob.token });
    expect((await answer(bob, id, 'accept')).status).toBe(200);
  });

  test('neither given nor answered by an admin who acts as the person', async () => {
    const { ada, bob, id } = await offered();
    const other = await app.project(ada.token);
    const [asAda, asBob] = [await app.impersonatedToken(ada.id), await app.impersonatedToken(bob.id)];
    const acts = [
      () => app.patch(asAda, `${pathOf(other.id)}/owner`, { user_id: bob.id }),
      () => app.call('DELETE', `${pathOf(id)}/offer`, { token: asAda }),
      () => app.post(asAda, `${pathOf(other.id)}/accept_code`),
      () => app.post(asBob, `${pathOf(id)}/offer/accept`),
      () => app.post(asBob, `${pathOf(id)}/offer/decline`),
    ];
    for (const act of acts) expect((await act()).status).toBe(403);
    expect((await app.get<ProjectDetail>(asBob, pathOf(id))).body.offer?.to.id).toBe(bob.id);
    expect((await see(ada, id)).body.owner.id).toBe(ada.id);
  });
});

test('offers of one person are limited at a time and in a day', async () => {
  const [ada, bob] = [await app.person(), await app.person()];
  await app.db.update(users).set({ plan: 'Enterprise' }).where(eq(users.id, ada.id));
  const ids: string[] = [];
  for (let count = 0; count < 11; count++) ids.push((await app.project(ada.token)).id);
  const give = async (id = '') => (await offer(ada, id, { user_id: bob.id })).status;
  for (const id of ids.slice(0, 10)) expect(await give(id)).toBe(200);
  const eleventh = await offer(ada, ids[10] ?? '', { user_id: bob.id });
  expect(eleventh).toMatchObject({ status: 409, body: { details: { reason: 'usage_limit_reached', limit: 10 } } });
  for (const id of ids.slice(0, 10)) {
    await withdraw(ada, id);
    expect(await give(id)).toBe(200);
  }
  await withdraw(ada, ids[0] ?? '');
  const next = await offer(ada, ids[0] ?? '', { user_id: bob.id });
  expect(next).toMatchObject({ status: 409, body: { details: { reason: 'usage_limit_reached', limit: 20 } } });
  app.clock.advance(day);
  expect(await give(ids[0])).toBe(200);
});

test('an offer ends by itself after two weeks, for both', async () => {
  const { ada, bob, id } = await offered();
  await app.db
    .update(projectOffers)
    .set({ expiresAt: new Date(app.clock.time) })
    .where(eq(projectOffers.projectId, id));
  expect((await answer(bob, id, 'accept')).status).toBe(410);
  app.clock.advance(14 * day);
  await app.settled();
  expect((await see(bob, id)).status).toBe(404);
  expect((await see(ada, id)).body.offer).toBeNull();
  expect((await newsOf(bob))[0]).toBe('project_offer_ended');
  expect(await newsOf(ada)).toEqual(['project_offer_ended']);
});

describe('on two servers', () => {
  let other: typeof app;
  beforeAll(async () => {
    other = await createTestApp({ beside: app, keepOpen: true });
    return () => other.close();
  });

  test('an offer is accepted or withdrawn, and never both', async () => {
    const [ada, bob] = [await app.person(), await app.person()];
    await app.db.update(users).set({ plan: 'Enterprise' }).where(eq(users.id, bob.id));
    for (let turn = 0; turn < 4; turn++) {
      const { id } = await app.project(ada.token);
      await offer(ada, id, { user_id: bob.id });
      const acts = [
        () => answer(bob, id, 'accept'),
        () => other.call('DELETE', `${pathOf(id)}/offer`, { token: ada.token }),
      ];
      const [accepted, withdrawn] = await Promise.all(
        turn % 2 === 0 ? acts.map((act) => act()) : acts.toReversed().map((act) => act()),
      ).then((answers) => (turn % 2 === 0 ? answers : answers.toReversed()));
      const isAccepted = accepted?.status === 200;
      expect([accepted?.status, withdrawn?.status]).toEqual(isAccepted ? [200, 404] : [404, 200]);
      const [owner, not] = isAccepted ? [bob, ada] : [ada, bob];
      expect((await see(owner, id)).body).toMatchObject({ owner: { id: owner.id }, offer: null });
      expect((await see(not, id)).status).toBe(404);
    }
  });

  test('of two offers at once one finds the last place', async () => {
    const bob = await app.person();
    for (let count = 0; count < 4; count++) await app.project(bob.token);
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const giver = await app.person();
        const { id } = await app.project(giver.token);
        await offer(giver, id, { user_id: bob.id });
        return id;
      }),
    );
    const [one = '', two = ''] = ids;
    const answers = await Promise.all([
      answer(bob, one, 'accept'),
      other.post(bob.token, `${pathOf(two)}/offer/accept`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});

describe('what came from another owner', () => {
  async function takenOver() {
    const [ada, bob] = [await app.person(), await app.person()];
    await app.post(bob.token, '/v1/secrets', { key: 'API_KEY', secret: 'hunter2-hunter2' });
    const { id } = await app.notebookProject(ada.token, [code('print("x")', 'a')]);
    return { ada, bob, id, taken: await app.handOver(ada, bob, id) };
  }

  async function run({ token }: Person, id: string) {
    const { body: started } = await app.post<Run>(token, `${pathOf(id)}/runs`, { with_secrets: true });
    const ended = async () => (await app.get<Run>(token, `${pathOf(id)}/runs/${started.id}`)).body;
    await expect.poll(async () => (await ended()).ended_at).not.toBeNull();
    const [session] = await app.db
      .select()
      .from(kernelSessions)
      .where(eq(kernelSessions.projectId, id))
      .orderBy(kernelSessions.startedAt);
    return { notices: (await ended()).notices, session };
  }

  test('gets no secrets of the new owner before they have accepted its code, nor does a copy of it', async () => {
    const { ada, bob, id, taken } = await takenOver();
    expect(taken.is_awaiting_review).toBe(true);
    const { notices, session } = await run(bob, id);
    expect(session?.hasSecrets).toBe(false);
    expect(notices).toEqual([expect.stringContaining('came from another owner')]);
    const { body: copy } = await app.post<ProjectDetail>(bob.token, `${pathOf(id)}/clone`, {});
    expect(copy.is_awaiting_review).toBe(true);
    expect((await run(bob, copy.id)).session?.hasSecrets).toBe(false);

    const accept = ({ token }: Person) => app.post<ProjectDetail>(token, `${pathOf(id)}/accept_code`);
    expect((await accept(ada)).status).toBe(404);
    await app.share(bob.token, id, ada.id, ['view', 'view_source']);
    expect((await accept(ada)).status).toBe(403);
    const admin = await app.person();
    await app.promote(admin.id);
    expect((await accept(admin)).status).toBe(403);
    expect((await accept(bob)).body.is_awaiting_review).toBe(false);
    await app.db.delete(kernelSessions).where(eq(kernelSessions.projectId, id));
    const after = await run(bob, id);
    expect([after.session?.hasSecrets, after.notices]).toEqual([true, []]);
  });

  test('needs no review where the new owner wrote all of it', async () => {
    const [ada, bob] = [await app.person(), await app.person()];
    const { id } = await app.project(ada.token);
    await app.share(ada.token, id, bob.id, ['view', 'view_source', 'edit']);
    await app.createFile(bob.token, id, 'mine.py', 'print()');
    expect(await app.handOver(ada, bob, id)).toMatchObject({ is_awaiting_review: false });
  });

  test('is needed after an account is deleted, too', async () => {
    const [ada, heir, admin] = [await app.person(), await app.person(), await app.person()];
    await app.promote(admin.id);
    const { id } = await app.project(ada.token, { create_main_file: true });
    const body = { reason: 'Left', transfer_to_id: heir.id };
    await app.call('DELETE', `/v1/admin/users/${ada.id}`, { token: admin.token, body });
    expect((await see(heir, id)).body).toMatchObject({ owner: { id: heir.id }, is_awaiting_review: true });
  });

  test('has the schedules of the earlier owner, paused until the new one resumes them', async () => {
    const [ada, bob] = [await app.person(), await app.person()];
    const { id, fileId } = await app.notebookProject(ada.token, [code('print("x")', 'a')]);
    const path = `${pathOf(id)}/files/${fileId}/schedule`;
    await app.patch(ada.token, path, { schedule: { with_secrets: true } });
    await app.handOver(ada, bob, id);
    await app.settled();
    const { body } = await app.get<{ schedule: Schedule }>(bob.token, path);
    expect(body.schedule).toMatchObject({
      ...{ enabled: false, next_run_at: null, owner: { id: ada.id } },
      paused_reason: 'The project has a new owner. Resume it to run it in your name.',
    });
    const resumed = await app.patch<{ schedule: Schedule }>(bob.token, path, { schedule: { enabled: true } });
    expect(resumed.body.schedule).toMatchObject({ enabled: true, owner: { id: bob.id }, with_secrets: false });
  });
});
