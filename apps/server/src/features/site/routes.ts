import { done, endpoints } from '../../platform/http/implement.ts';
import { storeEvents } from '../tracking/service.ts';
import { receiveContact, receiveFromSelf } from './service.ts';
import { tips } from './tips.ts';

const { site } = endpoints;

export const siteRoutes = {
  contactUs: site.contactUs.handler(({ context, input }) =>
    done(receiveContact(context, { kind: 'contact', ...input })),
  ),
  feedback: site.feedback.handler(({ context, input }) => done(receiveFromSelf(context, 'feedback', input))),
  issueReport: site.issueReport.handler(({ context, input }) =>
    done(receiveFromSelf(context, 'issue_report', { ...input, allow_contact: true })),
  ),
  dataRequest: site.dataRequest.handler(({ context, input }) =>
    done(receiveFromSelf(context, 'data_request', { ...input, allow_contact: true })),
  ),
  events: site.events.handler(async ({ context, input }) => ({ stored: await storeEvents(context, input.events) })),
  tracking: site.tracking.handler(async ({ context, input }) => ({ stored: await storeEvents(context, input.events) })),
  tips: site.tips.handler(() => ({ entries: tips })),
};
