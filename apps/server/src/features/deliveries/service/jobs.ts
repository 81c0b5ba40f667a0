import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { uploadLimits } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { and, count, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { hasNoJob } from '../../../platform/jobs/enqueue.ts';
import { jobsTable } from '../../../platform/jobs/table.ts';
import { TargetProblem, Unconfirmed } from '../../../platform/outside/answers.ts';
import { RenderFailure } from '../../../platform/renderer/renderer.ts';
import { mailedName } from '../../mail/names.ts';
import { type PublicationRow, publications } from '../../publications/table.ts';
import { publicationPath } from '../../publications/view.ts';
import { renderReport, reportTypes } from '../../reports/service/render.ts';
import { users } from '../../users/table.ts';
import { type DeliveryRow, type DeliveryTargetRow, deliveries, deliveryTargets } from '../table.ts';
import { HeldBack } from './recipients.ts';
import { about, renderKind, sendKind, targetsOf } from './start.ts';
import { type Report, sendTo } from './targets.ts';

const renderAttempts = 3;
/** Several reports of a person are due at the same time, and are drawn one after the other. */
const deliveryWaitMs = 60_000;
const mostInADay = 1_000;
const sendAttempts = 5;
/** Doubled each time. */
const firstWaitMs = 30_000;

interface Found {
  delivery: DeliveryRow;
  publication: PublicationRow;
}

async function find(ctx: Context, id: string): Promise<Found | undefined> {
  const [row] = await ctx.db
    .select({ delivery: deliveries, publication: publications })
    .from(deliveries)
    .innerJoin(publications, eq(publications.id, deliveries.publicationId))
    .where(eq(deliveries.id, id));
  return row;
}

/** The document is made once, whole or not at all; then each target gets it. */
export const renderJob = defineJob<{ delivery_id: string }>({
  ...renderKind,
  concurrency: 2,
  perOwner: 1,
  attempts: renderAttempts,
  async run({ ctx, payload, attempt, report, finish }) {
    const found = await find(ctx, payload.delivery_id);
    if (found?.delivery.state !== 'rendering') return;
    const { delivery, publication } = found;
    const { attachment } = delivery;
    try {
      const made =
        attachment === 'none'
          ? null
          : await renderReport(ctx, publication.id, {
              format: attachment,
              waitMs: deliveryWaitMs,
              onProgress: ({ expected, drawn }) =>
                report(expected.length ? drawn.length / expected.length : null, 'Drawing the report'),
            });
      const [gap] = made?.failedParts ?? [];
      if (gap) {
        const cellIds = made?.failedParts.map(({ cellId }) => cellId) ?? [];
        await finish((write) => end(ctx, write, found, { reason: `Cell ${gap.cellId}: ${gap.reason}`, cellIds }));
        return;
      }
      const file = made && {
        fileBlob: (await ctx.blobs.put(Readable.from([made.body]), uploadLimits.file)).sha256,
        fileSize: made.body.length,
        pages: made.pages,
      };
      await finish(async (write) => {
        const targets = await targetsOf(ctx, write.tx, publication);
        if (targets.length === 0) return end(ctx, write, found, { reason: 'Its targets were removed meanwhile.' });
        if ((await sentInADay(ctx, write, delivery)) + targets.length > mostInADay)
          return end(ctx, write, found, {
            reason: `More than ${mostInADay} reports in a day were to be sent in your name.`,
          });
        await write.tx
          .update(deliveries)
          .set({ ...file, state: 'sending' })
          .where(eq(deliveries.id, delivery.id));
        const rows = await write.tx
          .insert(deliveryTargets)
          .values(targets.map((target) => ({ ...target, deliveryId: delivery.id })))
          .returning();
        for (const { id } of rows) await write.enqueue(sendKind, { target_id: id }, { key: id });
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A browser that was killed, or had too much to do.
      if (error instanceof RenderFailure && error.isTransient && attempt < renderAttempts) throw error;
      const cellIds = error instanceof RenderFailure ? error.cellIds : [];
      await finish((write) => end(ctx, write, found, { reason: error.message, cellIds }));
    }
  },
});

/** Sent in the name of the same person. */
async function sentInADay(ctx: Context, { tx }: Write, { requesterId }: DeliveryRow): Promise<number> {
  const [found] = await tx
    .select({ value: count() })
    .from(deliveryTargets)
    .innerJoin(deliveries, eq(deliveries.id, deliveryTargets.deliveryId))
    .where(
      and(
        eq(deliveries.requesterId, requesterId ?? nobody),
        gt(deliveries.startedAt, new Date(ctx.now().getTime() - 24 * 3_600_000)),
      ),
    );
  return found?.value ?? 0;
}

/** To one target. Once it may have been taken it is not sent again: late is better than twice, and not known is said. */
export const sendJob = defineJob<{ target_id: string }>({
  ...sendKind,
  concurrency: 8,
  async run({ ctx, payload, write, finish }) {
    const target = await write((writing) => begin(writing, payload.target_id));
    if (!target) return;
    const found = await find(ctx, target.deliveryId);
    if (!found) return;
    if (target.state === 'sending') {
      const reason = 'The server stopped while it was sent. It is not sent again, so that it does not come twice.';
      await finish((writing) => settle(ctx, writing, found, target, { state: 'unconfirmed', reason }));
      return;
    }
    try {
      await sendTo(ctx, target, await reportOf(ctx, found));
      await finish((writing) =>
        settle(ctx, writing, found, target, { state: 'sent', reason: null, sentAt: ctx.now() }),
      );
    } catch (error) {
      if (error instanceof HeldBack)
        await finish((writing) => settle(ctx, writing, found, target, { state: error.state, reason: error.message }));
      else if (error instanceof Unconfirmed)
        await finish((writing) => settle(ctx, writing, found, target, { state: 'unconfirmed', reason: error.message }));
      else if (error instanceof TargetProblem) await finish((writing) => retry(ctx, writing, found, target, error));
      else throw error;
    }
  },
});

/** Noted before anything leaves; the row as it was. */
async function begin({ tx }: Write, id: string): Promise<DeliveryTargetRow | null> {
  const [target] = await tx.select().from(deliveryTargets).where(eq(deliveryTargets.id, id)).for('update');
  if (!target || !['waiting', 'sending'].includes(target.state)) return null;
  if (target.state === 'waiting')
    await tx
      .update(deliveryTargets)
      .set({ state: 'sending', attempts: target.attempts + 1 })
      .where(eq(deliveryTargets.id, id));
  return target;
}

async function reportOf(ctx: Context, { delivery, publication }: Found): Promise<Report> {
  const content = delivery.fileBlob ? await readBlob(ctx, delivery.fileBlob) : null;
  const [sender] = await ctx.db
    .select({ first_name: users.firstName, last_name: users.lastName, user_name: users.userName })
    .from(users)
    .where(eq(users.id, delivery.requesterId ?? nobody));
  const name = sender && personName(sender);
  const { attachment } = delivery;
  return {
    deliveryId: delivery.id,
    publicationId: publication.id,
    title: publication.title,
    message: delivery.message,
    url: ctx.config.url + publicationPath(publication),
    sender: name ? mailedName(name) : null,
    senderId: delivery.requesterId,
    isPressed: delivery.firingId === null,
    file:
      content && attachment !== 'none'
        ? { name: `${publication.slug}.${attachment}`, type: reportTypes[attachment], content: await buffer(content) }
        : null,
  };
}

async function retry(
  ctx: Context,
  write: Write,
  found: Found,
  target: DeliveryTargetRow,
  { message, retry: wanted }: TargetProblem,
): Promise<void> {
  const attempts = target.attempts + 1;
  if (wanted === 'never' || attempts >= sendAttempts) {
    const tried = wanted === 'never' ? message : `${message} It was tried ${attempts} times.`;
    return settle(ctx, write, found, target, { state: 'failed', reason: tried });
  }
  await write.tx
    .update(deliveryTargets)
    .set({ state: 'waiting', reason: message })
    .where(eq(deliveryTargets.id, target.id));
  const waitMs = wanted === 'soon' ? firstWaitMs * 2 ** (attempts - 1) : wanted;
  const dueAt = new Date(ctx.now().getTime() + waitMs);
  await write.enqueue(sendKind, { target_id: target.id }, { key: `${target.id}:${attempts}`, dueAt });
}

async function settle(
  ctx: Context,
  write: Write,
  found: Found,
  { id, deliveryId }: DeliveryTargetRow,
  change: Pick<DeliveryTargetRow, 'state' | 'reason'> & { sentAt?: Date },
): Promise<void> {
  // The last of several decides what came of all of them.
  await write.tx.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.id, deliveryId)).for('update');
  await write.tx.update(deliveryTargets).set(change).where(eq(deliveryTargets.id, id));
  const targets = await write.tx.select().from(deliveryTargets).where(eq(deliveryTargets.deliveryId, deliveryId));
  if (targets.some(({ state }) => state === 'waiting' || state === 'sending')) return;
  const isSent = targets.some(({ state }) => state === 'sent');
  // A recipient who has not agreed is no failure, unless there is no other.
  const missed = targets.filter(({ state: each }) => each !== 'sent' && !(isSent && isHeldBack(each)));
  const [first] = missed;
  await end(ctx, write, found, {
    reason: first ? `${first.address}: ${first.reason}` : null,
    isPartly: isSent,
  });
}

const isHeldBack = (state: DeliveryTargetRow['state']) => state === 'asked' || state === 'refused';

interface Outcome {
  reason: string | null;
  isPartly?: boolean;
  cellIds?: string[];
}

async function end(
  ctx: Context,
  write: Write,
  { delivery, publication }: Found,
  { reason, isPartly = false, cellIds = [] }: Outcome,
): Promise<void> {
  const state =
    reason === null ? ('delivered' as const) : isPartly ? ('partly_delivered' as const) : ('failed' as const);
  const ended = await write.tx
    .update(deliveries)
    .set({ state, reason, failedCellIds: cellIds, endedAt: ctx.now() })
    .where(and(eq(deliveries.id, delivery.id), isNull(deliveries.endedAt)))
    .returning({ id: deliveries.id });
  if (ended.length > 0)
    await write.emit('delivery.ended', {
      ...about(delivery, publication),
      firing_id: delivery.firingId,
      state,
      reason,
    });
}

const stuckMs = 3_600_000;

/** Those whose job was given up have a reason too. */
export async function sweepDeliveries(ctx: Context): Promise<void> {
  const stuck = await ctx.db
    .select({ delivery: deliveries, publication: publications })
    .from(deliveries)
    .innerJoin(publications, eq(publications.id, deliveries.publicationId))
    .where(
      and(
        isNull(deliveries.endedAt),
        lt(deliveries.startedAt, new Date(ctx.now().getTime() - stuckMs)),
        hasNoJob(
          ctx.db,
          [renderKind, sendKind],
          sql`(${jobsTable.payload} ->> 'delivery_id' = ${deliveries.id}::text or ${jobsTable.payload} ->> 'target_id' in
            (select t.id::text from ${deliveryTargets} t where t.delivery_id = ${deliveries.id}))`,
        ),
      ),
    );
  for (const found of stuck)
    await ctx.write((write) => end(ctx, write, found, { reason: 'It could not be finished on this server.' }));
}
