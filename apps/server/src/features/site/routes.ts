import { endpoints, ok } from '../../platform/http/implement.ts';
import { storeEvents } from '../tracking/service.ts';
import { receiveContact, receiveFromSelf } from './service.ts';
import { tips } from './tips.ts';

const { site } = endpoints;

export const siteRoutes = {
  contactUs: site.contactUs.handler(async ({ context, input }) => {
    await receiveContact(context, { kind: 'contact', ...input });
    return ok;
  }),
  feedback: site.feedback.handler(async ({ context, input }) => {
    await receiveFromSelf(context, 'feedback', input);
    return ok;
  }),
  issueReport: site.issueReport.handler(async ({ context, input }) => {
    await receiveFromSelf(context, 'issue_report', { ...input, allow_contact: true });
    return ok;
  }),
  dataRequest: site.dataRequest.handler(async ({ context, input }) => {
    await receiveFromSelf(context, 'data_request', { ...input, allow_contact: true });
    return ok;
  }),
  events: site.events.handler(async ({ context, input }) => ({ stored: await storeEvents(context, input.events) })),
  tracking: site.tracking.handler(async ({ context, input }) => ({ stored: await storeEvents(context, input.events) })),
  tips: site.tips.handler(() => ({ entries: tips })),
};
