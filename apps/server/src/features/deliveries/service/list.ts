import type { Delivery, Paging } from '@atoll/contract';
import { and, desc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { requirePublication } from '../../publications/service/access.ts';
import { deliveries } from '../table.ts';
import { deliveryViews } from './views.ts';

export async function listDeliveries(
  ctx: Context,
  { id, page, page_size }: Paging & { id: string },
): Promise<{ entries: Delivery[]; total: number }> {
  await requirePublication(ctx, ctx.db, id, 'publication.publish');
  const where = eq(deliveries.publicationId, id);
  const rows = await ctx.db
    .select()
    .from(deliveries)
    .where(where)
    .orderBy(desc(deliveries.startedAt), desc(deliveries.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(deliveries, where);
  return { entries: await deliveryViews(ctx.db, rows), total };
}

export async function deliveredFile(ctx: Context, publicationId: string, deliveryId: string) {
  const { publication } = await requirePublication(ctx, ctx.db, publicationId, 'publication.publish');
  const [row] = await ctx.db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.id, deliveryId), eq(deliveries.publicationId, publicationId)));
  if (!row?.fileBlob || row.attachment === 'none') throw notFound('This file');
  return { blob: row.fileBlob, size: row.fileSize ?? 0, format: row.attachment, slug: publication.slug };
}
