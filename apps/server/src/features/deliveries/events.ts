import { topics } from '@atoll/contract';
import { AppError } from '../../platform/errors.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { notify } from '../notifications/service/notify.ts';
import { askRecipient } from './service/recipients.ts';

const changed = async (
  _tx: unknown,
  { publication_id, requester_id }: { publication_id: string | null; requester_id: string | null },
) => (requester_id ? [message(topics.person, { userId: requester_id }, 'deliveries_changed', { publication_id })] : []);

export const deliveryBroadcasts: Broadcasts = {
  'delivery.started': changed,
  'delivery.ended': changed,
  'report.consent_answered': (tx, { sender_id }) => changed(tx, { publication_id: null, requester_id: sender_id }),
};

export const deliveryEvents: EventHandlers = {
  'report.recipient_added': (ctx, { sender_id, publication_id, address }) =>
    askRecipient(ctx, { senderId: sender_id, publicationId: publication_id }, address).catch((error: unknown) => {
      // Too much mail for today: the address is asked when a report is sent.
      if (!(error instanceof AppError)) throw error;
    }),
};

export const deliveryNotifications: EventHandlers = {
  'delivery.ended': async (
    ctx,
    { delivery_id, publication_id, project_id, requester_id, firing_id, state, reason },
  ) => {
    // A schedule's failure is told as that.
    if (state === 'delivered' || (state === 'failed' && firing_id) || !requester_id) return;
    await notify(ctx, [requester_id], {
      type: 'report_not_delivered',
      actorId: null,
      projectId: project_id,
      entity: { type: 'publication', id: publication_id },
      metadata: reason ? { reason: reason.slice(0, 300) } : {},
      key: `delivery:${delivery_id}`,
    });
  },
};
