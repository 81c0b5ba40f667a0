import {
  userRoles as accountRoles,
  defaultPreferences,
  type FeatureOverrides,
  type Preferences,
  type RichContent,
  type RoleLimits,
} from '@atoll/contract';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, oneOf, primaryId, time } from '../../platform/db/columns.ts';
import { planColumn, ratePlans } from '../plans/table.ts';

export interface SocialUrls {
  twitter: string | null;
  linkedin: string | null;
  blog: string | null;
  website: string | null;
  facebook: string | null;
}

export const noSocialUrls: SocialUrls = { twitter: null, linkedin: null, blog: null, website: null, facebook: null };

/** What people are found by. */
export const userSearchText = (table: Record<'userName' | 'firstName' | 'lastName', AnyPgColumn>) =>
  sql`lower(${table.userName} || ' ' || ${table.firstName} || ' ' || ${table.lastName})`;

/** People and guests alike: a guest who signs up keeps the row, and with it everything made as a guest. */
export const users = pgTable(
  'users',
  {
    id: primaryId(),
    userName: text('user_name').notNull(),
    email: text('email'),
    emailConfirmedAt: time('email_confirmed_at'),
    passwordHash: text('password_hash'),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    headline: text('headline').notNull().default(''),
    socialUrls: jsonb('social_urls').$type<SocialUrls>().notNull().default(noSocialUrls),
    companyName: text('company_name').notNull().default(''),
    companyPosition: text('company_position').notNull().default(''),
    avatarAssetId: uuid('avatar_asset_id'),
    avatarIcon: text('avatar_icon'),
    role: text('role').$type<'user' | 'admin'>().notNull().default('user'),
    isGuest: boolean('is_guest').notNull().default(false),
    guestId: text('guest_id'),
    isDiscoverable: boolean('is_discoverable').notNull().default(true),
    suspendedAt: time('suspended_at'),
    suspensionMessage: text('suspension_message'),
    /** Only the row is left, for what refers to it. */
    deletedAt: time('deleted_at'),
    managedBy: text('managed_by').$type<'identity_manager' | 'messaging_app' | 'organization'>(),
    userSource: text('user_source'),
    referralCode: text('referral_code'),
    referredBy: text('referred_by'),
    trialSignupCode: text('trial_signup_code'),
    /** The name of one of `rate_plans`. */
    plan: text('plan').notNull().default('Free'),
    /** Feature flags set for this user alone. */
    features: jsonb('features').$type<FeatureOverrides>().notNull().default({}),
    /** In units; changed only together with the books (`wallet/service/units.ts`). */
    balance: integer('balance').notNull().default(0),
    /** Part of the balance, set aside for what is under way (`wallet/service/reservations.ts`). */
    reservedUnits: integer('reserved_units').notNull().default(0),
    /** Units kept with the optional service, of which they are transferred. */
    unboundedBalance: integer('unbounded_balance').notNull().default(0),
    preferences: jsonb('preferences').$type<Partial<Preferences>>().notNull().default({}),
    aboutPage: jsonb('about_page').$type<RichContent | null>(),
    aboutPageDraft: jsonb('about_page_draft').$type<RichContent | null>(),
    createdAt: time('created_at').notNull(),
    activeAt: time('active_at').notNull(),
  },
  (table) => [
    check('users_role', oneOf(table.role, accountRoles)),

    uniqueIndex('users_user_name').on(sql`lower(${table.userName})`),
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    uniqueIndex('users_guest_id').on(table.guestId),
    uniqueIndex('users_referral_code').on(table.referralCode),
    check('users_balance', sql`${table.balance} >= 0 and ${table.unboundedBalance} >= 0`),
    check('users_reserved_units', sql`${table.reservedUnits} >= 0`),
    index('users_search').using('gin', sql`${userSearchText(table)} gin_trgm_ops`),
    index('users_email_search').using('gin', sql`lower(${table.email}) gin_trgm_ops`),
    // The orders in which admins page through all accounts.
    index('users_created').on(table.createdAt, table.id),
    index('users_active').on(table.activeAt, table.id),
    index('users_by_balance').on(table.balance, table.id),
    index('users_admins').on(table.id).where(sql`${table.role} = 'admin'`),
    index('users_of_plan').on(table.plan, table.createdAt, table.id).where(sql`${table.deletedAt} is null`),
    index('users_suspended').on(table.createdAt, table.id).where(sql`${table.suspendedAt} is not null`),
    index('users_deleted').on(table.createdAt, table.id).where(sql`${table.deletedAt} is not null`),
    index('users_guests').on(table.createdAt, table.id).where(sql`${table.isGuest}`),
    index('users_with_own_features').on(table.id).where(sql`${table.features} <> '{}'::jsonb`),
  ],
);

export type UserRow = typeof users.$inferSelect;

export const roles = pgTable(
  'roles',
  {
    id: primaryId(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    features: jsonb('features').$type<FeatureOverrides>().notNull().default({}),
    /** What it raises of the plan's. */
    limits: jsonb('limits').$type<RoleLimits>().notNull().default({}),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('roles_name').on(sql`lower(${table.name})`)],
);

export type RoleRow = typeof roles.$inferSelect;

export const userRoles = pgTable(
  'user_roles',
  {
    userId: belongsTo('user_id', () => users.id),
    roleId: belongsTo('role_id', () => roles.id),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.roleId] }),
    index('user_roles_role').on(table.roleId, table.userId),
  ],
);

/** Roles of the user of a query: those given to them, and those of their plan. */
export const isOwnRole = sql`${roles.id} = any(
  array(select ${userRoles.roleId} from ${userRoles} where ${userRoles.userId} = ${users.id})
  || array(select jsonb_array_elements_text(${ratePlans.roleIds})::uuid from ${ratePlans} where ${ratePlans.name} = ${users.plan}))`;

/** What the plan of the user of a query includes. */
export const ownPlan = planColumn(users.plan);

/** What their roles raise of it, and which features they turn on and off. */
export const ownRoles = sql<
  { limits: RoleLimits; features: FeatureOverrides }[]
>`coalesce((select jsonb_agg(jsonb_build_object('limits', ${roles.limits}, 'features', ${roles.features})) from ${roles} where ${isOwnRole}), '[]')`;

/** Of the user of a query, for the actor it makes. */
export const flagColumns = {
  planFeatures: sql<FeatureOverrides>`coalesce((select ${ratePlans.features} from ${ratePlans} where ${ratePlans.name} = ${users.plan}), '{}')`,
  overrides: users.features,
  roleOverrides: sql<
    FeatureOverrides[]
  >`coalesce((select jsonb_agg(${roles.features}) from ${roles} where ${isOwnRole}), '[]')`,
};

/** Who follows whom. */
export const userFollows = pgTable(
  'user_follows',
  {
    followerId: belongsTo('follower_id', () => users.id),
    followeeId: belongsTo('followee_id', () => users.id),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.followeeId] }),
    index('user_follows_followee').on(table.followeeId, table.followerId),
  ],
);

export const preferencesOf = (user: Pick<UserRow, 'preferences'>): Preferences => ({
  ...defaultPreferences,
  ...user.preferences,
  // A group of notifications that came later has its default.
  notifications: { ...defaultPreferences.notifications, ...user.preferences.notifications },
});
