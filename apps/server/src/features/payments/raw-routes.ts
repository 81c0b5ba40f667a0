import { rawContract } from '@atoll/contract';
import type { RawRoute } from '../../platform/feature.ts';
import { takeNews } from './service/news.ts';
import { paymentsOf } from './service/payments.ts';

export const paymentRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.payments.stripe,
    async handle(ctx, request, reply) {
      const signature = String(request.headers['stripe-signature'] ?? '');
      await takeNews(ctx, paymentsOf(ctx).readNews({ body: request.rawBody, signature, now: ctx.now() }));
      return reply.send({ received: true });
    },
  },
];
