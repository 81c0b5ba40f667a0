import { z } from 'zod';
import { id } from '../fields.ts';
import { jobState } from '../jobs.ts';
import { quota } from '../quota/entity.ts';
import { command, topic } from '../topic.ts';
import { notification } from './entity.ts';

const unread = z.object({ unread_count: z.int() });

export const notificationsTopic = topic('notifications:{userId}', {
  permission: 'notification.view',
  summary: "One's notifications, as they come",
  joined: unread,
  commands: {
    notification_read: command({
      permission: 'notification.edit',
      summary: 'Mark one as read',
      isWriting: true,
      input: z.strictObject({ id }),
      output: unread,
    }),
  },
  events: {
    notification_created: unread.extend({ notification }),
    notification_read: unread.extend({ id }),
    notifications_read: unread.describe('Several at once'),
    access_changed: z.object({ project_id: id }).describe('A request for access was made, answered or taken back'),
    teams_changed: z.object({ team_id: id }).describe("A team of one's own is new, changed or gone"),
    projects_changed: z.object({ project_id: id }).describe("A project in one's lists is new, changed or gone"),
    job_changed: z
      .object({
        id,
        kind: z.string(),
        state: jobState,
        progress: z.number().nullable().describe('From 0 to 1, where it is known'),
        message: z.string().nullable(),
        reason: z.string().nullable().describe('Why it failed or was canceled'),
      })
      .describe("One's background work went on"),
    quota_changed: z.object({ quota }).describe("One's execution time was reserved, used or given back"),
  },
});
