import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { interleave, useInterleaving } from '../../../test/set-ups/interleaving.ts';
import { createSharedApp, createTestApp, type TestApp } from '../../../test/test-app.ts';
import { findUser, personOf } from '../../users/service.ts';
import { users } from '../../users/table.ts';
import { projectOffers, projects } from '../table.ts';
import { acceptOffer, offerProject, withdrawOffer } from './offers.ts';
import { deleteProject } from './write.ts';

/** Two servers share no memory, only the database: what is done to one offer at once is put in order there. */

interface Stage {
  giver: Context;
  receiver: Context;
  id: string;
}

const acts = {
  accept: ({ receiver, id }: Stage) => acceptOffer(receiver, id),
  withdraw: ({ giver, id }: Stage) => withdrawOffer(giver, id),
  delete: ({ giver, id }: Stage) => deleteProject(giver, id),
  'offer again': async ({ giver, receiver, id }: Stage) => {
    await withdrawOffer(giver, id);
    await offerProject(giver, id, { user_id: receiver.userId });
  },
};
type Act = keyof typeof acts;

const one = await createSharedApp();
let other: TestApp;
let stages: [Omit<Stage, 'id'>, Omit<Stage, 'id'>];
let token: string;

beforeAll(async () => {
  other = await createTestApp({ beside: one, keepOpen: true });
  const [ada, bob] = [await one.person(), await one.person()];
  token = ada.token;
  await one.db.update(users).set({ plan: 'Enterprise' });
  const contextOf = async ({ ctx }: TestApp, { id }: { id: string }) => {
    const user = await findUser(one.db, id);
    if (!user) throw new Error('There is no such person');
    return ctx.as(personOf(user));
  };
  stages = [
    { giver: await contextOf(one, ada), receiver: await contextOf(one, bob) },
    { giver: await contextOf(other, ada), receiver: await contextOf(other, bob) },
  ];
});
afterAll(() => other.close());
useInterleaving();

const pairs: [Act, Act][] = [
  ['accept', 'withdraw'],
  ['withdraw', 'accept'],
  ['accept', 'delete'],
  ['accept', 'offer again'],
];

test.each(pairs)('%s is overtaken by %s on another server, and one of them holds', async (first, second) => {
  for (let before = 1; ; before++) {
    // So many in a day are another test's.
    one.clock.advance(24 * 60 * 60_000);
    const { id } = await one.project(token);
    const [here, there] = stages.map((stage) => ({ ...stage, id })) as [Stage, Stage];
    await offerProject(here.giver, id, { user_id: here.receiver.userId });
    const acting = { first: () => acts[first](here), second: () => acts[second](there), before };
    const { one: a, other: b, count } = await interleave<unknown, unknown>(one.db, acting);
    const done = [a, b].map(({ status }) => status === 'fulfilled');
    for (const outcome of [a, b]) {
      if (outcome.status === 'fulfilled') continue;
      const { reason } = outcome;
      if (!(reason instanceof AppError) || !['not_found', 'gone'].includes(reason.code)) throw reason;
    }
    const isAccepted = [first, second].some((act, index) => act === 'accept' && done[index]);
    const [row] = await one.db.select().from(projects).where(eq(projects.id, id));
    expect(row?.ownerId).toBe(isAccepted ? here.receiver.userId : here.giver.userId);
    const left = await one.db.delete(projectOffers).where(eq(projectOffers.projectId, id)).returning();
    const isOfferedAgain = !isAccepted && [first, second].includes('offer again');
    expect(left).toHaveLength(isOfferedAgain ? 1 : 0);
    // What was offered a second time can be accepted by an answer that began before.
    if (![first, second].includes('offer again')) expect(done.toSorted()).toEqual([false, true]);
    if (count < before) return;
  }
});
