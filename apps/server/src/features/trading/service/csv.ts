import { Readable } from 'node:stream';
import type { Context } from '../../../platform/context.ts';
import { csvLine } from '../../../platform/csv.ts';
import { listOrders, type OrderFilter } from './orders.ts';

const size = 1_000;

/** All orders, newest first, read as they are sent. */
export const ordersCsv = (ctx: Context, filter: OrderFilter): Readable =>
  Readable.from(
    (async function* () {
      yield 'created_at,exchange,environment,symbol,side,type,amount,price,stop_price,state,filled,average,fees,reason\r\n';
      for (let page = 1; ; page++) {
        const { entries } = await listOrders(ctx, filter, page, size);
        yield entries
          .map((order) => {
            const fees = Object.entries(order.fees)
              .map(([asset, fee]) => `${fee} ${asset}`)
              .join('; ');
            const { created_at, exchange_type, environment, symbol, side, type, amount, state } = order;
            const about = [created_at, exchange_type, environment, symbol, side, type, amount];
            return csvLine([
              ...about,
              order.price ?? '',
              order.stop_price ?? '',
              state,
              order.filled,
              order.average ?? '',
              fees,
              order.reason ?? '',
            ]);
          })
          .join('');
        if (entries.length < size) return;
      }
    })(),
  );
