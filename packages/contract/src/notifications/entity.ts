import { z } from 'zod';
import { id, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { teamSummary } from '../teams/entity.ts';

/** By what people choose what they want to hear of; each type belongs to one. */
export const notificationGroups = ['sharing', 'comments', 'teams', 'people'] as const;
export type NotificationGroup = (typeof notificationGroups)[number];

export const notificationGroupOf = {
  project_shared: 'sharing',
  project_unshared: 'sharing',
  project_transferred: 'sharing',
  project_invite_accepted: 'sharing',
  access_requested: 'sharing',
  access_approved: 'sharing',
  access_rejected: 'sharing',
  comment_created: 'comments',
  comment_replied: 'comments',
  comment_mentioned: 'comments',
  comment_liked: 'comments',
  comment_reported: 'comments',
  team_invited: 'teams',
  team_join_requested: 'teams',
  team_join_approved: 'teams',
  team_join_rejected: 'teams',
  team_joined: 'teams',
  team_invite_accepted: 'teams',
  team_left: 'teams',
  team_role_changed: 'teams',
  team_removed: 'teams',
  team_owner_changed: 'teams',
  team_project_shared: 'teams',
  team_project_unshared: 'teams',
  team_changed: 'teams',
  user_followed: 'people',
  followed_published: 'people',
  tag_published: 'people',
} as const satisfies Record<string, NotificationGroup>;

export type NotificationType = keyof typeof notificationGroupOf;
export const notificationTypes = Object.keys(notificationGroupOf) as [NotificationType, ...NotificationType[]];

export const notificationMetadata = z.object({
  excerpt: z.string().optional().describe('The beginning of what was written'),
  role: z.string().optional(),
  tag: z.string().optional(),
  file_id: id.optional(),
  cell_id: z.string().optional(),
  reason: z.string().optional(),
});
export type NotificationMetadata = z.infer<typeof notificationMetadata>;

/** The spec's Notification. */
export const notification = z.object({
  id,
  type: z.enum(notificationTypes),
  source_user: personSummary.nullable().describe('Who did it'),
  subject_user: personSummary.nullable().describe('To whom, where it is neither the reader nor who did it'),
  subject_team: teamSummary.nullable(),
  entity: z
    .object({ type: z.enum(['project', 'comment', 'team', 'user']), id, name: z.string() })
    .nullable()
    .describe('What it is about'),
  project: z.object({ id, name: z.string() }).nullable(),
  metadata: notificationMetadata,
  created_at: time,
  seen_at: time.nullable(),
});
export type Notification = z.infer<typeof notification>;

/** What somebody wants to hear of, for each group; mail gathers what is unread. */
export const notificationChoice = z.enum(['off', 'app', 'email']);
export const notificationSettings = z.object({
  sharing: notificationChoice,
  comments: notificationChoice,
  teams: notificationChoice,
  people: notificationChoice,
});
export type NotificationSettings = z.infer<typeof notificationSettings>;
export const defaultNotificationSettings: NotificationSettings = {
  sharing: 'email',
  comments: 'email',
  teams: 'email',
  people: 'app',
};
export const digestPeriods = ['hourly', 'daily', 'weekly'] as const;
