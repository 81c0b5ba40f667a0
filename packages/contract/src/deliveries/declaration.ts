import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

const about = { delivery_id: id, publication_id: id, project_id: id, requester_id: id.nullable() };

export const deliveriesDeclaration = declare({
  permissions: ['report.subscribe', 'report.unsubscribe', 'report.consent'],
  events: {
    'delivery.started': z.object({ ...about, firing_id: id.nullable() }),
    'delivery.ended': z.object({
      ...about,
      firing_id: id.nullable(),
      state: z.enum(['delivered', 'partly_delivered', 'failed']),
      reason: z.string().nullable(),
    }),
    'report.subscribed': z.object({ publication_id: id, user_id: id }),
    'report.unsubscribed': z.object({ publication_id: id, user_id: id.nullable() }),
    'report.recipient_added': z.object({ sender_id: id, publication_id: id, address: z.string() }),
    'report.consent_asked': z.object({ sender_id: id }),
    'report.consent_answered': z.object({ sender_id: id, is_wanted: z.boolean() }),
  },
  personEvents: {
    deliveries_changed: z
      .object({ publication_id: id.nullable() })
      .describe('A delivery that you asked for began or ended; without a publication, a recipient has answered'),
  },
});
