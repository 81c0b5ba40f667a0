import { rawContract, walletFilter } from '@atoll/contract';
import { nobody } from '../../platform/actor.ts';
import { invalidBody } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment } from '../../platform/http/ranges.ts';
import { walletCsv } from './service/csv.ts';

export const walletRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.wallet.csv,
    async handle(ctx, request, reply) {
      const filter = walletFilter.safeParse(request.query);
      if (!filter.success) throw invalidBody(filter.error);
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': attachment('wallet.csv'),
        'cache-control': 'private, no-store',
      });
      return reply.send(walletCsv(ctx, ctx.actor.userId ?? nobody, filter.data));
    },
  },
];
