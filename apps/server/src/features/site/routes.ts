import { endpoints, ok } from '../../platform/http/implement.ts';
import { receiveContact } from './service.ts';

export const siteRoutes = {
  contactUs: endpoints.site.contactUs.handler(async ({ context, input }) => {
    await receiveContact(context, input);
    return ok;
  }),
};
