import { z } from 'zod';
import { personEvents } from '../declarations.ts';
import { id } from '../fields.ts';
import { command, topic } from '../topic.ts';
import { notification } from './entity.ts';

const unread = z.object({ unread_count: z.int() });

/** A person's own topic; every feature publishes news for them there. */
export const personTopic = topic('notifications:{userId}', {
  permission: 'notification.view',
  summary: 'Your notifications, and what changed in your lists',
  joined: unread,
  commands: {
    notification_read: command({
      permission: 'notification.edit',
      summary: 'Mark a notification as read',
      isWriting: true,
      input: z.strictObject({ id }),
      output: unread,
    }),
  },
  events: {
    notification_created: unread.extend({ notification }),
    notification_read: unread.extend({ id }),
    notifications_read: unread.describe('Several at once'),
    ...personEvents,
  },
});
