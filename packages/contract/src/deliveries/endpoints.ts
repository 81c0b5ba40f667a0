import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, id, list, page } from '../fields.ts';
import { delivery } from './entity.ts';

const tag = 'Deliveries';
const writing = { permission: 'publication.publish', flag: 'publish', tag } as const;
const reading = { permission: 'report.subscribe', flag: 'publications', tag } as const;
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
    .input(z.looseObject({ token: z.string().max(2_000) }))
    .output(done),
};

export const deliveryRawEndpoints = {
  file: rawEndpoint('GET', '/v1/external_publications/{id}/deliveries/{deliveryId}/file', {
    ...writing,
    summary: 'What was delivered',
  }),
};
