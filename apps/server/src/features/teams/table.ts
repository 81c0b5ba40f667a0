import { type RequestStatus, requestStatuses, type TeamDiscovery, type TeamRole, teamRoles } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, oneOf, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

/** The two counts, and who owns a team after its owner is gone, are kept by triggers: rows also go by themselves. */
export const teams = pgTable(
  'teams',
  {
    id: primaryId(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    icon: text('icon'),
    thumbnailAssetId: uuid('thumbnail_asset_id'),
    discovery: text('discovery').$type<TeamDiscovery>().notNull().default('private'),
    contactEmail: text('contact_email'),
    createdById: uuid('created_by_id').references(() => users.id, { onDelete: 'set null' }),
    usersCount: integer('users_count').notNull().default(0),
    projectsCount: integer('projects_count').notNull().default(0),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    index('teams_created_by').on(table.createdById).where(sql`${table.createdById} is not null`),
    uniqueIndex('teams_name').on(sql`lower(${table.name})`),
    index('teams_search').using('gin', sql`lower(${table.name}) gin_trgm_ops`),
    index('teams_found').on(table.createdAt.desc(), table.id).where(sql`${table.discovery} <> 'private'`),
  ],
);
export type TeamRow = typeof teams.$inferSelect;

const teamReference = () => belongsTo('team_id', () => teams.id);
const userReference = () => belongsTo('user_id', () => users.id);

export const teamMembers = pgTable(
  'team_members',
  {
    teamId: teamReference(),
    userId: userReference(),
    role: text('role').$type<TeamRole>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    check('team_members_role', oneOf(table.role, teamRoles)),

    primaryKey({ columns: [table.teamId, table.userId] }),
    index('team_members_user').on(table.userId, table.teamId),
    uniqueIndex('team_members_owner').on(table.teamId).where(sql`${table.role} = 'owner'`),
  ],
);
export type TeamMemberRow = typeof teamMembers.$inferSelect;

export const teamJoinRequests = pgTable(
  'team_join_requests',
  {
    id: primaryId(),
    teamId: teamReference(),
    userId: userReference(),
    reason: text('reason').notNull().default(''),
    status: text('status').$type<RequestStatus>().notNull().default('pending'),
    answeredById: uuid('answered_by_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull(),
    answeredAt: time('answered_at'),
  },
  (table) => [
    check('team_join_requests_status', oneOf(table.status, requestStatuses)),

    index('team_join_requests_answered_by').on(table.answeredById).where(sql`${table.answeredById} is not null`),
    uniqueIndex('team_join_requests_pending').on(table.teamId, table.userId).where(sql`${table.status} = 'pending'`),
    index('team_join_requests_team').on(table.teamId, table.createdAt.desc()),
    index('team_join_requests_user').on(table.userId),
  ],
);
export type JoinRequestRow = typeof teamJoinRequests.$inferSelect;

/** To an address, or, without one, for whoever has the link; of its token only the hash is kept. */
export const teamInvites = pgTable(
  'team_invites',
  {
    id: primaryId(),
    teamId: teamReference(),
    email: text('email'),
    tokenHash: text('token_hash'),
    role: text('role').$type<TeamRole>().notNull(),
    message: text('message').notNull().default(''),
    /** Null: the inviter's own. */
    referralCode: text('referral_code'),
    invitedById: uuid('invited_by_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    check('team_invites_role', oneOf(table.role, teamRoles)),

    index('team_invites_invited_by').on(table.invitedById).where(sql`${table.invitedById} is not null`),
    uniqueIndex('team_invites_email').on(table.teamId, table.email),
    uniqueIndex('team_invites_token').on(table.tokenHash),
    index('team_invites_address').on(table.email),
  ],
);
export type TeamInviteRow = typeof teamInvites.$inferSelect;
