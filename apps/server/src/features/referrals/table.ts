import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { ratePlans } from '../plans/table.ts';
import { teams } from '../teams/table.ts';
import { users } from '../users/table.ts';

/** Codes of the admins' own; every person has one besides, in `users.referral_code`. */
export const referrals = pgTable(
  'referrals',
  {
    id: primaryId(),
    code: text('code').notNull(),
    /** For who signs up with it. */
    units: integer('units').notNull().default(0),
    isEnabled: boolean('is_enabled').notNull().default(true),
    roleIds: jsonb('role_ids').$type<string[]>().notNull().default([]),
    ratePlanId: uuid('rate_plan_id').references(() => ratePlans.id),
    trialDays: integer('trial_days'),
    defaultKernel: text('default_kernel'),
    teamId: uuid('team_id').references(() => teams.id, { onDelete: 'set null' }),
    /** Who earns by it. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    expiresAt: time('expires_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('referrals_rate_plan').on(table.ratePlanId).where(sql`${table.ratePlanId} is not null`),
    index('referrals_team').on(table.teamId).where(sql`${table.teamId} is not null`),
    uniqueIndex('referrals_code').on(sql`lower(${table.code})`),
    index('referrals_owner').on(table.ownerId),
  ],
);
export type ReferralRow = typeof referrals.$inferSelect;

/** Who signed up by which code, and what came of it. */
export const referralUses = pgTable(
  'referral_uses',
  {
    userId: belongsTo('user_id', () => users.id).primaryKey(),
    code: text('code').notNull(),
    referralId: uuid('referral_id').references(() => referrals.id, { onDelete: 'set null' }),
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** `waiting` until the address is confirmed. */
    state: text('state').$type<'waiting' | 'matched' | 'refused'>().notNull(),
    /** Why nothing is earned. */
    reason: text('reason').$type<'own_code' | 'known_device' | 'ended_account' | 'ended_code'>(),
    units: integer('units').notNull().default(0),
    ownerUnits: integer('owner_units').notNull().default(0),
    /** The owner's entry in the books. */
    ownerTransactionId: uuid('owner_transaction_id'),
    createdAt: time('created_at').notNull(),
    matchedAt: time('matched_at'),
  },
  (table) => [
    index('referral_uses_owner').on(table.ownerId, table.createdAt.desc()),
    index('referral_uses_referral').on(table.referralId),
  ],
);
export type ReferralUseRow = typeof referralUses.$inferSelect;
