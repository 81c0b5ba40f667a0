import type { EntityType, NotificationMetadata, NotificationType } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { projects, tags } from '../projects/table.ts';
import { teams } from '../teams/table.ts';
import { users } from '../users/table.ts';

export const notifications = pgTable(
  'notifications',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    type: text('type').$type<NotificationType>().notNull(),
    /** Who did it. */
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'cascade' }),
    /** To whom, where it is neither the reader nor who did it. */
    subjectId: uuid('subject_id').references(() => users.id, { onDelete: 'cascade' }),
    teamId: uuid('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    /** What it is about; its feature says how it is named. */
    entityType: text('entity_type').$type<EntityType>(),
    entityId: uuid('entity_id'),
    metadata: jsonb('metadata').$type<NotificationMetadata>().notNull().default({}),
    /** An event is handed on at least once, and tells each reader once. */
    eventKey: text('event_key'),
    createdAt: time('created_at').notNull(),
    readAt: time('read_at'),
    /** Null while it waits for the next digest; what is not to be mailed has a time from the start. */
    mailedAt: time('mailed_at'),
  },
  (table) => [
    index('notifications_subject').on(table.subjectId).where(sql`${table.subjectId} is not null`),
    index('notifications_user').on(table.userId, table.createdAt.desc()),
    index('notifications_unread').on(table.userId).where(sql`${table.readAt} is null`),
    index('notifications_unmailed').on(table.userId, table.createdAt).where(sql`${table.mailedAt} is null`),
    uniqueIndex('notifications_once').on(table.userId, table.eventKey),
    index('notifications_project').on(table.projectId),
    index('notifications_team').on(table.teamId),
    index('notifications_entity').on(table.entityType, table.entityId),
    index('notifications_actor').on(table.actorId),
  ],
);
export type NotificationRow = typeof notifications.$inferSelect;

/** What happened in a team, once for all its members. */
export const teamNotifications = pgTable(
  'team_notifications',
  {
    id: primaryId(),
    teamId: belongsTo('team_id', () => teams.id),
    type: text('type').$type<NotificationType>().notNull(),
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    subjectId: uuid('subject_id').references(() => users.id, { onDelete: 'set null' }),
    projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    metadata: jsonb('metadata').$type<NotificationMetadata>().notNull().default({}),
    eventKey: text('event_key'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('team_notifications_actor').on(table.actorId).where(sql`${table.actorId} is not null`),
    index('team_notifications_project').on(table.projectId).where(sql`${table.projectId} is not null`),
    index('team_notifications_subject').on(table.subjectId).where(sql`${table.subjectId} is not null`),
    index('team_notifications_team').on(table.teamId, table.createdAt.desc()),
    uniqueIndex('team_notifications_once').on(table.teamId, table.eventKey),
  ],
);

export const tagSubscriptions = pgTable(
  'tag_subscriptions',
  {
    userId: belongsTo('user_id', () => users.id),
    tagId: belongsTo('tag_id', () => tags.id),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.tagId] }), index('tag_subscriptions_tag').on(table.tagId)],
);
