import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const siteDeclaration = declare({
  permissions: ['site.contact', 'site.write', 'site.request_data'],
  events: {
    'contact.received': z.object({ message_id: id }),
  },
});
