import type { ProjectOffer } from '@atoll/contract';
import { and, desc, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { findUser, findUserByEmail, findUserByName, requireSelf } from '../../users/service.ts';
import { type ProjectRow, projectOfferDays, projectOffers, projects } from '../table.ts';
import { lockProject, requireLockedProject, requireProject } from './access.ts';
import { endOffers } from './end-offers.ts';
import { loadPeopleOf } from './relations.ts';
import { assertNoRuns, changeOwner } from './transfer.ts';
import { askersOf, whoMay } from './who-may.ts';
import { assertRoom, lockOwner } from './write.ts';

const offerLife = 14 * 24 * 60 * 60_000;
/** Of one person at the same time, and in one day. */
const mostOpen = 10;
const mostInADay = 20;

type OfferRow = typeof projectOffers.$inferSelect;
type Receiver = { user_id?: string; recipient?: string };

/** The project changes hands when its receiver accepts. */
export async function offerProject(ctx: Context, id: string, to: Receiver): Promise<ProjectRow> {
  const field = to.user_id ? 'user_id' : 'recipient';
  return ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.transfer');
    const receiver = await findReceiver(write.tx, to);
    if (!receiver || !canOwn(receiver)) throw invalidField(field, 'Cannot own projects');
    if (receiver.id === project.ownerId) throw invalidField(field, 'Already owns this project');
    if (await findOffer(write.tx, id))
      throw new AppError('conflict', 'This project is offered already. Withdraw that offer first.');
    await assertNoRuns(write.tx, project, 'Stop the strategies that you run in this project first.');
    await countOffer(ctx, write.tx);
    const createdAt = ctx.now();
    const expiresAt = new Date(createdAt.getTime() + offerLife);
    await write.tx
      .insert(projectOffers)
      .values({ projectId: id, fromId: ctx.userId, toId: receiver.id, createdAt, expiresAt });
    await write.enqueue(expireOfferJob, { project_id: id }, { key: `${id}:${createdAt.getTime()}`, dueAt: expiresAt });
    await write.emit('project.offered', { project_id: id, from_user_id: ctx.userId, to_user_id: receiver.id });
    return project;
  });
}

async function findReceiver(tx: Transaction, { user_id, recipient = '' }: Receiver) {
  if (user_id) return findUser(tx, user_id);
  const name = recipient.replace(/^@/, '');
  const named = await (name.includes('@') ? findUserByEmail(tx, name) : findUserByName(tx, name));
  return named && findUser(tx, named.id);
}

type Account = NonNullable<Awaited<ReturnType<typeof findUser>>>;
const canOwn = ({ isGuest, suspendedAt, deletedAt }: Account) => !isGuest && !suspendedAt && !deletedAt;

/** The row of the day is the lock: offers of one person come one after the other. */
async function countOffer(ctx: Context, tx: Transaction): Promise<void> {
  const { userId } = ctx;
  const day = ctx.now().toISOString().slice(0, 10);
  const counted = await tx
    .insert(projectOfferDays)
    .values({ userId, day, offers: 1 })
    .onConflictDoUpdate({
      target: [projectOfferDays.userId, projectOfferDays.day],
      set: { offers: sql`${projectOfferDays.offers} + 1` },
      setWhere: lt(projectOfferDays.offers, mostInADay),
    })
    .returning({ day: projectOfferDays.day });
  if (counted.length === 0)
    throw new AppError('conflict', `You can offer ${mostInADay} projects a day. Offer this one tomorrow.`, {
      details: { reason: 'usage_limit_reached', limit: mostInADay },
    });
  if ((await tx.$count(projectOffers, eq(projectOffers.fromId, userId))) >= mostOpen)
    throw new AppError('conflict', `${mostOpen} of your offers wait for an answer. Withdraw one first.`, {
      details: { reason: 'usage_limit_reached', limit: mostOpen },
    });
}

async function findOffer(db: Database | Transaction, projectId: string): Promise<OfferRow | undefined> {
  const [offer] = await db.select().from(projectOffers).where(eq(projectOffers.projectId, projectId));
  return offer;
}

/** Of the caller to answer; people who only see the project learn of no offer. */
async function requireOffer(ctx: Context, db: Database | Transaction, projectId: string): Promise<OfferRow> {
  await requireProject(ctx, db, projectId, 'project.view');
  const offer = await findOffer(db, projectId);
  if (offer?.toId !== ctx.userId)
    throw new AppError('not_found', 'There is no offer of this project to you, or it has ended.');
  ctx.authorize('project.answer_offer', offer);
  return offer;
}

/** Everything that could have changed since the offer is checked here, after the locks. */
export async function acceptOffer(ctx: Context, id: string): Promise<ProjectRow> {
  await requireOffer(ctx, ctx.db, id);
  return ctx.write(async (write) => {
    const { tx } = write;
    // The account before the project: one that is restored is locked in this order.
    await lockOwner(tx, ctx.userId);
    await lockProject(tx, id);
    const offer = await requireOffer(ctx, tx, id);
    const { project } = await requireProject(ctx, tx, id, 'project.view');
    if (offer.expiresAt <= ctx.now() || !(await isStillMeant(tx, offer, project)))
      throw new AppError('gone', 'This offer has ended. Ask for a new one.');
    const self = await requireSelf(ctx, tx);
    if (!canOwn(self)) throw new AppError('forbidden', 'You cannot own projects.');
    await assertNoRuns(tx, project, 'Its owner still runs a strategy in this project. Ask them to stop it first.');
    await assertRoom(ctx, write);
    await changeOwner(ctx, write, project, { toId: self.id, offeredById: offer.fromId });
    return (await tx.select().from(projects).where(eq(projects.id, id)))[0] ?? project;
  });
}

/** The giver could still give it, and neither they nor its owner are suspended. */
async function isStillMeant(tx: Transaction, { fromId }: OfferRow, { id, ownerId }: ProjectRow): Promise<boolean> {
  for (const userId of new Set([fromId, ownerId])) {
    const user = await findUser(tx, userId);
    if (!user || !canOwn(user)) return false;
  }
  return (await whoMay(tx, await askersOf(tx, [fromId]), [id], 'transfer')).length > 0;
}

export const declineOffer = (ctx: Context, id: string): Promise<void> =>
  ctx.write(async (write) => {
    await lockProject(write.tx, id);
    await requireOffer(ctx, write.tx, id);
    await endOffers(write, eq(projectOffers.projectId, id), 'declined');
  });

export const withdrawOffer = (ctx: Context, id: string): Promise<ProjectRow> =>
  ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.transfer');
    const ended = await endOffers(write, eq(projectOffers.projectId, id), 'withdrawn');
    if (ended === 0) throw notFound('This offer');
    return project;
  });

/** What an account offered or was offered ends with it; an offer that came after its suspension was lifted does not. */
export const voidOffersOf = (ctx: Context, userId: string, until: Date): Promise<number> =>
  ctx.write((write) => {
    const owned = write.tx.select({ id: projects.id }).from(projects).where(eq(projects.ownerId, userId));
    const isTheirs = or(
      eq(projectOffers.fromId, userId),
      eq(projectOffers.toId, userId),
      inArray(projectOffers.projectId, owned),
    );
    return endOffers(write, and(isTheirs, lte(projectOffers.createdAt, until)), 'void');
  });

export const expireOfferJob = defineJob({
  kind: 'projects.expire_offer',
  payload: z.object({ project_id: z.uuid() }),
  concurrency: 2,
  run: ({ ctx, payload, finish }) =>
    finish(async (write) => {
      const isOver = lte(projectOffers.expiresAt, ctx.now());
      await endOffers(write, and(eq(projectOffers.projectId, payload.project_id), isOver), 'expired');
    }),
});

/** Open ones, to the caller and by them. */
export async function listOffers(ctx: Context): Promise<ProjectOffer[]> {
  const me = ctx.actor.userId ?? nobody;
  const rows = await ctx.db
    .select({ offer: projectOffers, name: projects.name })
    .from(projectOffers)
    .innerJoin(projects, eq(projects.id, projectOffers.projectId))
    .where(and(or(eq(projectOffers.toId, me), eq(projectOffers.fromId, me)), isNull(projects.deletedAt)))
    .orderBy(desc(projectOffers.createdAt), projectOffers.projectId)
    .limit(100);
  return viewOffers(ctx, rows);
}

/** For those who made it, may withdraw it, or may answer it. */
export async function offerOf(
  ctx: Context,
  { project, abilities }: { project: ProjectRow; abilities: readonly string[] },
): Promise<ProjectOffer | null> {
  const offer = await findOffer(ctx.db, project.id);
  if (!offer || !(offer.toId === ctx.actor.userId || abilities.includes('transfer'))) return null;
  const [view] = await viewOffers(ctx, [{ offer, name: project.name }]);
  return view ?? null;
}

async function viewOffers(ctx: Context, rows: { offer: OfferRow; name: string }[]): Promise<ProjectOffer[]> {
  const people = await loadPeopleOf(ctx.db, rows, ({ offer }) => [offer.fromId, offer.toId]);
  return rows.flatMap(({ offer, name }) => {
    const [from, to] = [people.get(offer.fromId), people.get(offer.toId)];
    if (!from || !to) return [];
    const project = { id: offer.projectId, name };
    return { project, from, to, created_at: offer.createdAt.toISOString(), expires_at: offer.expiresAt.toISOString() };
  });
}
