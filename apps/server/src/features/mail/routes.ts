import { rawContract } from '@atoll/contract';
import { z } from 'zod';
import type { RawRoute } from '../../platform/feature.ts';
import { endpoints, ok } from '../../platform/http/implement.ts';
import { addressIn, unsubscribePage } from './link.ts';
import { chooseMail, mailChoice } from './service.ts';

const { mail } = endpoints;

export const mailRoutes = {
  choice: mail.choice.handler(({ context, input }) => mailChoice(context, input.token)),
  unsubscribe: mail.unsubscribe.handler(async ({ context, input }) => {
    await chooseMail(context, input.token, true);
    return ok;
  }),
  resubscribe: mail.resubscribe.handler(async ({ context, input }) => {
    await chooseMail(context, input.token, false);
    return ok;
  }),
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
