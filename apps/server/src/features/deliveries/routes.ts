import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { answerConsent, consentAskedBy } from './service/consent.ts';
import { listDeliveries } from './service/list.ts';
import { sendNow } from './service/start.ts';
import { subscribe, subscriptionOf, unsubscribe, unsubscribeByLink } from './service/subscription.ts';

const { deliveries } = endpoints;

export const deliveryRoutes = {
  list: deliveries.list.handler(async ({ context, input }) => pageOf(input, await listDeliveries(context, input))),
  send: deliveries.send.handler(({ context, input }) => sendNow(context, input.id)),
  subscription: deliveries.subscription.handler(({ context, input }) => subscriptionOf(context, input.id)),
  subscribe: deliveries.subscribe.handler(({ context, input }) => subscribe(context, input.id)),
  unsubscribe: deliveries.unsubscribe.handler(({ context, input }) => unsubscribe(context, input.id)),
  unsubscribeByLink: deliveries.unsubscribeByLink.handler(({ context, input }) =>
    done(unsubscribeByLink(context, input.token, input.is_whole_account)),
  ),
  consent: deliveries.consent.handler(({ context, input }) => consentAskedBy(context, input.token)),
  answerConsent: deliveries.answerConsent.handler(({ context, input }) =>
    done(answerConsent(context, input.token, input.is_wanted)),
  ),
};
