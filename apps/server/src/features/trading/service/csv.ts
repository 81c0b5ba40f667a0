import type { TradingOrder } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { csvLine } from '../../../platform/csv.ts';
import { listOrders, type OrderFilter } from './orders.ts';

const size = 1_000;

function lineOf(order: TradingOrder): string {
  const { created_at, exchange_type, environment, symbol, side, type, amount, price, stop_price, state } = order;
  const fees = Object.entries(order.fees)
    .map(([asset, fee]) => `${fee} ${asset}`)
    .join('; ');
  const asked = [created_at, exchange_type, environment, symbol, side, type, amount, price, stop_price];
  return csvLine([...asked, state, order.filled, order.average, fees, order.reason]);
}

/** All orders, newest first. */
export async function* ordersCsv(ctx: Context, filter: OrderFilter): AsyncGenerator<string> {
  yield 'created_at,exchange,environment,symbol,side,type,amount,price,stop_price,state,filled,average,fees,reason\r\n';
  for (let page = 1; ; page++) {
    const { entries } = await listOrders(ctx, filter, page, size);
    yield entries.map(lineOf).join('');
    if (entries.length < size) return;
  }
}
