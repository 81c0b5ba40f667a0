import { rawContract, transactionFilter } from '@atoll/contract';
import { sendCsv } from '../../platform/csv.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { readFields } from '../../platform/http/read-request.ts';
import { ordersCsv } from './service/csv.ts';

export const tradingRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.trading.csv,
    handle: async (ctx, request, reply) =>
      sendCsv(reply, 'transactions.csv', ordersCsv(ctx, readFields(transactionFilter, request.query))),
  },
];
