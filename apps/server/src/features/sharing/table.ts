import { type ProjectPermission, type RequestStatus, requestStatuses } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, oneOf, primaryId, time } from '../../platform/db/columns.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

const projectReference = () => belongsTo('project_id', () => projects.id);

/** For somebody without an account: it becomes a grant when the address is somebody's. */
export const projectInvites = pgTable(
  'project_invites',
  {
    id: primaryId(),
    projectId: projectReference(),
    email: text('email').notNull(),
    permissions: jsonb('permissions').$type<ProjectPermission[]>().notNull(),
    message: text('message').notNull().default(''),
    invitedById: uuid('invited_by_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('project_invites_invited_by').on(table.invitedById).where(sql`${table.invitedById} is not null`),
    uniqueIndex('project_invites_email').on(table.projectId, table.email),
    index('project_invites_address').on(table.email),
  ],
);
export type ProjectInviteRow = typeof projectInvites.$inferSelect;

export const accessRequests = pgTable(
  'access_requests',
  {
    id: primaryId(),
    projectId: projectReference(),
    userId: belongsTo('user_id', () => users.id),
    reason: text('reason').notNull().default(''),
    status: text('status').$type<RequestStatus>().notNull().default('pending'),
    answeredById: uuid('answered_by_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull(),
    answeredAt: time('answered_at'),
  },
  (table) => [
    check('access_requests_status', oneOf(table.status, requestStatuses)),

    index('access_requests_answered_by').on(table.answeredById).where(sql`${table.answeredById} is not null`),
    uniqueIndex('access_requests_pending').on(table.projectId, table.userId).where(sql`${table.status} = 'pending'`),
    index('access_requests_project').on(table.projectId, table.createdAt.desc()),
    index('access_requests_user').on(table.userId),
  ],
);
export type AccessRequestRow = typeof accessRequests.$inferSelect;
