import { rawContract } from '@atoll/contract';
import type { RawRoute } from '../../platform/feature.ts';
import { takeNews } from './service/news.ts';
import { paymentsOf } from './service/payments.ts';

export const paymentRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.payments.stripe,
    async handle(ctx, request, reply) {
      const signature = String(request.headers['stripe-signature'] ?? '');
      const news = await paymentsOf(ctx).readNews({ body: request.rawBody, signature, now: ctx.now() });
      await takeNews(ctx, news);
      return reply.send({ received: true });
    },
  },
];
