import type { EndpointInput, TimeExtension } from '@atoll/contract';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError } from '../../../platform/errors.ts';
import { claimRequest, clientRequest } from '../../../platform/realtime/apply-once.ts';
import { settingsOf } from '../../plans/service/settings.ts';
import { requireSelf } from '../../users/service.ts';
import { inWords, moveUnits } from '../../wallet/service/units.ts';
import { addExtension } from './extensions.ts';
import { quotaOf } from './quota.ts';

const hour = 60 * 60_000;

export async function extensionOf(ctx: Context): Promise<TimeExtension> {
  const { balance, id } = await requireSelf(ctx);
  const { extension_balance } = await quotaOf(ctx, id);
  return { hour_price: (await settingsOf(ctx.db)).extensionHourPrice, extension_balance, balance };
}

export async function buyExtension(
  ctx: Context,
  wanted: EndpointInput<'quota', 'buyExtension'>,
): Promise<TimeExtension> {
  const userId = ctx.actor.userId ?? nobody;
  const { hours, hour_price, request_id: id = newId() } = wanted;
  await ctx.write(async (write) => {
    await claimRequest(ctx, write, clientRequest(id, ['quota.buyExtension', hours, hour_price]));
    const { extensionHourPrice: price } = await settingsOf(write.tx);
    const { isRepeated } = await moveUnits(ctx, write, {
      userId,
      amount: -(hour_price ?? price) * hours,
      kind: 'execution_time_extension',
      key: `time:${userId}:${id}`,
      referenceId: id,
      note: `${hours} ${hours === 1 ? 'hour' : 'hours'} of execution time`,
    });
    if (isRepeated) return;
    if (hour_price !== undefined && hour_price !== price)
      throw new AppError('conflict', `An hour now costs ${inWords(price)}. Check the price and buy again.`);
    await addExtension(ctx, write, {
      id: `${userId}:${id}`,
      userId,
      referenceId: id,
      amountMs: hours * hour,
      paidUnits: price * hours,
    });
  });
  return extensionOf(ctx);
}
