import { rawContract, walletFilter } from '@atoll/contract';
import { nobody } from '../../platform/actor.ts';
import { sendCsv } from '../../platform/csv.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { readFields } from '../../platform/http/read-request.ts';
import { walletCsv } from './service/csv.ts';

export const walletRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.wallet.csv,
    async handle(ctx, request, reply) {
      const filter = readFields(walletFilter, request.query);
      return sendCsv(reply, 'wallet.csv', walletCsv(ctx, ctx.actor.userId ?? nobody, filter));
    },
  },
];
