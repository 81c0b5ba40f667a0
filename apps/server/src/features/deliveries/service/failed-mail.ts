import { and, desc, eq, isNull, lt, ne } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { publications } from '../../publications/table.ts';
import { type DeliveryRow, type DeliveryTargetRow, deliveries, deliveryTargets, isFailedMail } from '../table.ts';
import { sendKind } from './start.ts';

export interface FailedMail {
  target: DeliveryTargetRow;
  delivery: DeliveryRow;
  title: string;
}

const failed = (db: Context['db']) =>
  db
    .select({ target: deliveryTargets, delivery: deliveries, title: publications.title })
    .from(deliveryTargets)
    .innerJoin(deliveries, eq(deliveries.id, deliveryTargets.deliveryId))
    .innerJoin(publications, eq(publications.id, deliveries.publicationId))
    .$dynamic();

/** Reports by mail that did not arrive, newest first. */
export const failedMail = (
  db: Context['db'],
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<FailedMail[]> =>
  failed(db)
    .where(and(isFailedMail(deliveryTargets), before ? lt(deliveryTargets.id, before) : undefined))
    .orderBy(desc(deliveryTargets.id))
    .limit(limit);

/** Sends one of them once more; null when there is none of this name. */
export async function retryFailedMail(ctx: Context, write: Write, id: string): Promise<FailedMail | null> {
  const { tx } = write;
  const [found] = await failed(tx)
    .where(and(eq(deliveryTargets.id, id), isFailedMail(deliveryTargets)))
    .for('update');
  if (!found) return null;
  const { target, delivery } = found;
  if (delivery.attachment !== 'none' && !delivery.fileBlob)
    throw new AppError('conflict', 'The file of this report is not kept any more. Deliver the report again.');
  const isOther = and(
    eq(deliveries.publicationId, delivery.publicationId),
    ne(deliveries.id, delivery.id),
    isNull(deliveries.endedAt),
  );
  const [other] = await tx.select({ id: deliveries.id }).from(deliveries).where(isOther);
  if (other) throw new AppError('conflict', 'This report is being delivered. Try again when that has ended.');
  const again = { state: 'waiting' as const, attempts: 0, reason: null };
  await tx.update(deliveryTargets).set(again).where(eq(deliveryTargets.id, id));
  const open = { state: 'sending' as const, endedAt: null, reason: null };
  await tx.update(deliveries).set(open).where(eq(deliveries.id, delivery.id));
  await write.enqueue(sendKind, { target_id: id }, { key: `${id}:again:${ctx.now().getTime()}` });
  return { ...found, target: { ...target, state: 'waiting' } };
}
