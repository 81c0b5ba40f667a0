import { rawContract, transactionFilter } from '@atoll/contract';
import { invalidBody } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment } from '../../platform/http/ranges.ts';
import { ordersCsv } from './service/csv.ts';

export const tradingRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.trading.csv,
    async handle(ctx, request, reply) {
      const filter = transactionFilter.safeParse(request.query);
      if (!filter.success) throw invalidBody(filter.error);
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': attachment('transactions.csv'),
        'cache-control': 'private, no-store',
      });
      return reply.send(ordersCsv(ctx, filter.data));
    },
  },
];
