import { chartIntervals, exchangeTypes, marketSymbol, orderRequest } from '@atoll/contract';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { AppError, denied } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import { type KernelCall, offeredCalls } from '../../notebooks/service/kernel-calls.ts';
import { ownedOn } from './balances.ts';
import { ensureDemo } from './connections.ts';
import { dataOf, saying } from './exchanges.ts';
import { requireMarket } from './markets.ts';
import { listOrders } from './orders.ts';
import { placeOrder } from './place.ts';
import { refresh } from './refresh.ts';

const candlesInput = z.strictObject({
  symbol: marketSymbol,
  interval: z.enum(chartIntervals).default('1h'),
  limit: z.int().min(1).max(5_000).default(500),
  end: z.iso.datetime({ offset: true }).optional(),
  exchange: z.enum(exchangeTypes).default('demo'),
});
const transactionsInput = z.strictObject({
  limit: z.int().min(1).max(100).default(50),
  symbol: marketSymbol.optional(),
});
const orderInput = orderRequest.omit({ connection_id: true, request_id: true });

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(given);
  if (error) throw new AppError('unprocessable_entity', z.prettifyError(error));
  return data as z.output<Schema>;
}

/** Others' code could trade what is theirs, and tell others what they own. */
function requireOwn(ctx: Context, { isAlone }: KernelCall): void {
  ctx.authorize('trade.view', null);
  checkFlag(ctx, 'trade');
  if (!isAlone)
    throw denied(
      'no_permissions',
      'Your account can only be used in your own notebooks, and while no one else may change or run them.',
    );
}

/** `atoll.trading` in notebooks: prices of all markets, and the demo account. */
export function offerTradingCalls(system: Context): void {
  const calls = offeredCalls(system);
  calls.set('trading.candles', async (ctx, call) => {
    ctx.authorize('market.view', null);
    checkFlag(ctx, 'trade');
    const { symbol, interval, limit, end, exchange } = read(candlesInput, call.arguments);
    await requireMarket(ctx, exchange, symbol);
    const to = end ? Date.parse(end) : ctx.now().getTime();
    const { time, ...columns } = await saying(dataOf(ctx, exchange).candles(symbol, interval, to, limit));
    const lists = Object.entries(columns).map(([name, column]) => [name, Array.from(column)]);
    return { time: Array.from(time, (each) => each / 1000), ...Object.fromEntries(lists) };
  });
  calls.set('trading.balances', async (ctx, call) => {
    requireOwn(ctx, call);
    const connection = await ensureDemo(ctx);
    await refresh(ctx, connection);
    return (await ownedOn(ctx, connection)).entries;
  });
  calls.set('trading.transactions', async (ctx, call) => {
    requireOwn(ctx, call);
    const { limit, symbol } = read(transactionsInput, call.arguments);
    const { id } = await ensureDemo(ctx);
    return (await listOrders(ctx, { connection_id: id, symbol }, 1, limit)).entries;
  });
  calls.set('trading.order', async (ctx, call) => {
    requireOwn(ctx, call);
    if (!call.isInPerson)
      throw denied('no_permissions', 'An order is placed only by a cell that you run yourself. Run it again.');
    const order = read(orderInput, call.arguments);
    const { id } = await ensureDemo(ctx);
    return placeOrder(ctx, { ...order, connection_id: id, request_id: call.id }, 'notebook');
  });
}
