import { rawContract } from '@atoll/contract';
import { z } from 'zod';
import type { RawRoute } from '../../platform/feature.ts';
import { done, endpoints } from '../../platform/http/implement.ts';
import { addressIn, unsubscribePage } from './link.ts';
import { chooseMail, mailChoice } from './service.ts';

const { mail } = endpoints;

export const mailRoutes = {
  choice: mail.choice.handler(({ context, input }) => mailChoice(context, input.token)),
  unsubscribe: mail.unsubscribe.handler(({ context, input }) => done(chooseMail(context, input.token, true))),
  resubscribe: mail.resubscribe.handler(({ context, input }) => done(chooseMail(context, input.token, false))),
};

export const mailRawRoutes: RawRoute[] = [
  {
    // For mail programs that open the address instead of calling it. Scanners do that too, so it changes nothing.
    endpoint: rawContract.mail.unsubscribePage,
    async handle(ctx, request, reply) {
      const { token } = z.object({ token: z.string() }).parse(request.params);
      addressIn(ctx, token);
      return reply.redirect(unsubscribePage(ctx, token), 303);
    },
  },
];
