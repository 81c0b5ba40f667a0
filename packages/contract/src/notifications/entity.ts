import { z } from 'zod';
import { entityTypes } from '../declarations.ts';
import { id, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { teamSummary } from '../teams/entity.ts';
import type { NotificationChoice } from './declare-notifications.ts';
import { type NotificationGroup, notificationGroups, notificationTypes } from './declared.ts';
import { notificationMetadata } from './metadata.ts';

/** The spec's Notification. */
export const notification = z.object({
  id,
  type: z.enum(notificationTypes),
  source_user: personSummary.nullable().describe('Who did it'),
  subject_user: personSummary.nullable().describe('To whom, where it is neither the reader nor who did it'),
  subject_team: teamSummary.nullable(),
  entity: z
    .object({
      type: z.enum(entityTypes),
      id,
      name: z.string(),
      path: z.string().nullable().describe('Where it is read, when that is not in the project or team'),
    })
    .nullable()
    .describe('What it is about'),
  project: z.object({ id, name: z.string() }).nullable(),
  metadata: notificationMetadata,
  created_at: time,
  seen_at: time.nullable(),
});
export type Notification = z.infer<typeof notification>;

/** What a person is notified of, for each group; mail gathers what is unread. */
export const notificationChoice = z.enum(['off', 'app', 'email']);
const byGroup = <Value>(settingOf: (choice: NotificationChoice) => Value) =>
  Object.fromEntries(
    Object.entries(notificationGroups).map(([name, { choice }]) => [name, settingOf(choice)]),
  ) as Record<NotificationGroup, Value>;
export const notificationSettings = z.object(byGroup(() => notificationChoice));
export type NotificationSettings = z.infer<typeof notificationSettings>;
export const defaultNotificationSettings: NotificationSettings = byGroup((choice) => choice);
export const digestPeriods = ['hourly', 'daily', 'weekly'] as const;
