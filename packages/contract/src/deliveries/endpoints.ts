import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, id, line, list, page } from '../fields.ts';
import { delivery } from './entity.ts';

const tag = 'Deliveries';
const writing = { permission: 'publication.publish', flag: 'publish', tag } as const;
const reading = { permission: 'report.subscribe', flag: 'publications', tag } as const;
/** With the token of a mail, without signing in. */
const answering = { permission: 'report.consent', tag } as const;
const token = line(100).min(1);
const byId = z.strictObject({ id });
const subscription = z.object({
  is_subscribed: z.boolean(),
  address: z.string().nullable().describe('Where it goes; null while your address is not confirmed'),
});

export const deliveryEndpoints = {
  list: endpoint('GET', '/v1/external_publications/{id}/deliveries', {
    ...writing,
    summary: 'Deliveries of a report, newest first',
  })
    .input(z.strictObject({ id, page: page(1), page_size: page(10, 100) }))
    .output(list(delivery)),

  send: endpoint('POST', '/v1/external_publications/{id}/deliveries', {
    ...writing,
    limit: 'mail',
    summary: 'Deliver a report now',
    description: 'To all of its targets and subscribers, as its schedule would. Answers at once.',
  })
    .input(byId)
    .output(delivery),

  subscription: endpoint('GET', '/v1/external_publications/{id}/subscription', {
    ...reading,
    summary: 'Whether you get a report by mail',
  })
    .input(byId)
    .output(subscription),

  subscribe: endpoint('POST', '/v1/external_publications/{id}/subscription', {
    ...reading,
    summary: 'Get a report by mail',
  })
    .input(byId)
    .output(subscription),

  unsubscribe: endpoint('DELETE', '/v1/external_publications/{id}/subscription', {
    ...reading,
    summary: 'Get a report no longer by mail',
  })
    .input(byId)
    .output(subscription),

  unsubscribeByLink: endpoint('POST', '/v1/report_unsubscribe/{token}', {
    permission: 'report.unsubscribe',
    tag,
    summary: 'Get a report no longer by mail, by the link in one',
  })
    // A mail program sends a field of its own along.
    .input(
      z.looseObject({
        token: z.string().max(2_000),
        is_whole_account: z.boolean().default(false).describe('No report of the account that sent this one'),
      }),
    )
    .output(done),

  consent: endpoint('GET', '/v1/report_consents/{token}', { ...answering, summary: 'Who wants to send you reports' })
    .input(z.strictObject({ token }))
    .output(z.object({ sender: z.string() })),

  answerConsent: endpoint('POST', '/v1/report_consents/{token}', {
    ...answering,
    summary: 'Confirm that you want reports of an account, or refuse them',
    description: 'With the token of the mail, once. A refusal is final for this account.',
  })
    .input(z.strictObject({ token, is_wanted: z.boolean() }))
    .output(done),
};

export const deliveryRawEndpoints = {
  unsubscribePage: rawEndpoint('GET', '/v1/report_unsubscribe/{token}', {
    permission: 'report.unsubscribe',
    tag,
    summary: 'Redirects to the page on which a report is stopped',
  }),

  file: rawEndpoint('GET', '/v1/external_publications/{id}/deliveries/{deliveryId}/file', {
    ...writing,
    summary: 'What was delivered',
  }),
};
