import { randomInt } from 'node:crypto';
import {
  type EndpointInput,
  type FeatureOverrides,
  guestLimits,
  isTimeZone,
  type Preferences,
  type RoleLimits,
  raiseLimits,
  type SettingsUpdate,
  topicName,
  topics,
} from '@atoll/contract';
import { and, eq, lt, ne, sql } from 'drizzle-orm';
import type { Person } from '../../platform/actor.ts';
import type { Context, Write } from '../../platform/context.ts';
import { newId } from '../../platform/db/columns.ts';
import { type Database, isUniqueViolation, type Transaction } from '../../platform/db/database.ts';
import { preparedRows } from '../../platform/db/prepared-statement.ts';
import { AppError, invalidField, notFound, unauthorized } from '../../platform/errors.ts';
import { topicPositions } from '../../platform/realtime/table.ts';
import { liftRefusal } from '../mail/service.ts';
import { type OwnPlan, ratePlans } from '../plans/table.ts';
import { isUsedDevice } from '../sessions/device.ts';
import { type SubscriptionRow, subscriptions, type TrialRow, trials } from '../subscriptions/table.ts';
import { prepareAvatar, publishPicture, retirePicture } from '../uploads/service/pictures.ts';
import { isOwnRole, ownPlan, ownRoles, preferencesOf, type RoleRow, roles, type UserRow, users } from './table.ts';

type Reader = Database | Transaction;

/** Somebody with what their plan and roles include. */
export type PlannedUser = UserRow & { limits: OwnPlan; roleFeatures: FeatureOverrides[] };

type OwnRole = { limits: RoleLimits; features: FeatureOverrides };
const userById = preparedRows<typeof users, { limits: OwnPlan | null; ownRoles: OwnRole[] }>(users, {
  where: sql`${users.id} = ${sql.placeholder('id')}`,
  more: { limits: ownPlan, ownRoles },
});

/** Plans are never deleted; should one be missing all the same, it includes little. */
const missingPlan: OwnPlan = { ...guestLimits, title: 'Unknown plan' };

export async function findUser(db: Reader, id: string): Promise<PlannedUser | null> {
  const [found] = await userById(db, { id });
  if (!found) return null;
  const { ownRoles, ...user } = found;
  return plannedUser(user, user.limits ?? missingPlan, ownRoles);
}

const plannedUser = (user: UserRow, plan: OwnPlan, roles: OwnRole[]): PlannedUser => ({
  ...user,
  limits: raiseLimits(
    plan,
    roles.map(({ limits }) => limits),
  ),
  roleFeatures: roles.map(({ features }) => features),
});

/** With what rights something is done in this account's name. */
export const personOf = ({
  id,
  role,
  isGuest,
  limits,
  features,
  roleFeatures,
}: Pick<UserRow, 'id' | 'role' | 'isGuest'> &
  Partial<Pick<PlannedUser, 'limits' | 'features' | 'roleFeatures'>>): Person => ({
  kind: isGuest ? 'guest' : 'user',
  userId: id,
  isAdmin: role === 'admin',
  ...(limits && { planFeatures: limits.features }),
  ...(features && { overrides: features }),
  ...(roleFeatures && { roleOverrides: roleFeatures }),
});

export async function findUserByEmail(db: Reader, email: string): Promise<UserRow | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return user ?? null;
}

export async function findUserByName(db: Reader, name: string): Promise<UserRow | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.userName})`, name.toLowerCase()));
  return user ?? null;
}

/** A user with the roles that decide their features, in one query: it runs on every page load. */
export async function findUserWithRoles(
  db: Reader,
  id: string,
): Promise<{
  user: PlannedUser;
  plan: OwnPlan;
  roles: RoleRow[];
  trial: TrialRow | null;
  subscription: SubscriptionRow | null;
  /** The title of the plan from the next billing on. */
  nextPlan: string | null;
  position: number;
} | null> {
  const topic = topicName(topics.person, { userId: id });
  // In the same statement: whatever is told later is not in this answer, and the other way about.
  const position = sql`(select position from ${topicPositions} where topic = ${topic})`.mapWith(Number);
  const rows = await db
    .select({
      ...{ user: users, limits: ownPlan, role: roles, trial: trials, position },
      ...{ subscription: subscriptions, nextPlan: ratePlans.title },
    })
    .from(users)
    .leftJoin(roles, isOwnRole)
    .leftJoin(trials, eq(trials.userId, users.id))
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .leftJoin(ratePlans, eq(ratePlans.id, subscriptions.nextPlanId))
    .where(eq(users.id, id));
  const [first] = rows;
  if (!first) return null;
  const own = rows.flatMap((row) => (row.role ? [row.role] : []));
  const plan = first.limits ?? missingPlan;
  const user = plannedUser(first.user, plan, own);
  const { trial, subscription, nextPlan, position: seen } = first;
  return { user, plan, roles: own, trial, subscription, nextPlan, position: seen ?? 0 };
}

/** The account of the caller, for services behind a permission that only people and guests have. */
export async function requireSelf(ctx: Context, db: Reader = ctx.db): Promise<PlannedUser> {
  const user = ctx.actor.userId ? await findUser(db, ctx.actor.userId) : null;
  if (!user) throw unauthorized();
  return user;
}

/** The caller's account, kept from others until the transaction ends: what is merged must not change meanwhile. */
async function lockSelf(ctx: Context, tx: Transaction): Promise<UserRow> {
  const [user] = await tx
    .select()
    .from(users)
    .where(eq(users.id, ctx.actor.userId ?? newId()))
    .for('update');
  if (!user) throw unauthorized();
  return user;
}

export interface NewUser {
  email: string | null;
  userName: string;
  firstName?: string;
  lastName?: string;
  passwordHash?: string | null;
  isEmailConfirmed?: boolean;
  role?: 'user' | 'admin';
  managedBy?: UserRow['managedBy'];
  userSource?: string | null;
  referredBy?: string | null;
  avatarIcon?: string | null;
}

/**
 * Makes an account. A guest who signs up becomes the account, so nothing made as a guest is lost; the caller's session
 * decides which guest that is, never an id somebody sent.
 */
export async function createUser(ctx: Context, write: Write, fields: NewUser): Promise<UserRow> {
  const now = ctx.now();
  const values = {
    email: fields.email,
    userName: fields.userName,
    firstName: fields.firstName ?? '',
    lastName: fields.lastName ?? '',
    passwordHash: fields.passwordHash ?? null,
    emailConfirmedAt: fields.isEmailConfirmed ? now : null,
    role: fields.role ?? 'user',
    managedBy: fields.managedBy ?? null,
    isGuest: false,
    guestId: null,
    isDiscoverable: true,
    referralCode: newReferralCode(),
    activeAt: now,
    createdAt: now,
  };
  const extras = {
    ...(fields.userSource ? { userSource: fields.userSource } : {}),
    ...(fields.referredBy ? { referredBy: fields.referredBy } : {}),
  };
  const guest = ctx.actor.kind === 'guest' ? ctx.actor.userId : null;
  try {
    const [user] = guest
      ? await write.tx
          .update(users)
          .set({ ...values, ...extras })
          .where(and(eq(users.id, guest), eq(users.isGuest, true)))
          .returning()
      : await write.tx
          .insert(users)
          .values({ id: newId(), ...values, ...extras })
          .returning();
    if (!user) throw unauthorized();
    await write.emit('user.signed_up', {
      user_id: user.id,
      was_guest: guest !== null,
      referral_code: user.referredBy,
      is_known_device: isUsedDevice(ctx),
    });
    return user;
  } catch (error) {
    throw namedConflict(error);
  }
}

export async function createGuest(
  write: Write,
  options: { guestId: string; userSource: string | null; referredBy: string | null; now: Date },
): Promise<UserRow | null> {
  const random = newId().replaceAll('-', '');
  const [guest] = await write.tx
    .insert(users)
    .values({
      userName: `guest_${random}`,
      // Others tell guests apart by it, where both are in one notebook.
      firstName: 'Guest',
      lastName: random.slice(-4).toUpperCase(),
      isGuest: true,
      guestId: options.guestId,
      userSource: options.userSource,
      referredBy: options.referredBy,
      isDiscoverable: false,
      createdAt: options.now,
      activeAt: options.now,
    })
    // Two tabs opening at once send the same new guest id; the second is told to take another.
    .onConflictDoNothing()
    .returning();
  return guest ?? null;
}

/** The last link counts that a guest came by. */
export async function noteReferralCode(ctx: Context, userId: string, code: string): Promise<void> {
  await ctx.write(({ tx }) =>
    tx
      .update(users)
      .set({ referredBy: code })
      .where(and(eq(users.id, userId), eq(users.isGuest, true))),
  );
}

/** An address that remembers who invited. */
export const withReferralCode = (address: string, code: string | null): string => {
  if (!code) return address;
  return `${address}${address.includes('?') ? '&' : '?'}referral_code=${encodeURIComponent(code)}`;
};

/** A free name close to the wanted one, for accounts that come from outside. */
export async function freeUserName(db: Reader, wanted: string): Promise<string> {
  const base = (wanted.replace(/[^A-Za-z0-9_]/g, '') || 'user').slice(0, 30).padEnd(3, '_');
  for (let attempt = 0; attempt < 20; attempt++) {
    const candidate = attempt === 0 ? base : `${base}_${randomInt(10 ** Math.min(2 + attempt, 8))}`;
    const [taken] = await db
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.userName})`, candidate.toLowerCase()));
    if (!taken) return candidate;
  }
  return `user_${newId().replaceAll('-', '')}`;
}

export async function updateSettings(ctx: Context, update: SettingsUpdate): Promise<UserRow> {
  const { social_urls, avatar_upload_id, ...plain } = update;
  const picture = avatar_upload_id ? await prepareAvatar(ctx, avatar_upload_id) : null;
  return ctx.write(async ({ tx, emit }) => {
    const user = await lockSelf(ctx, tx);
    const avatar =
      avatar_upload_id === undefined ? {} : { avatarAssetId: picture && (await publishPicture(ctx, tx, picture)) };
    const changed = {
      ...(plain.user_name !== undefined && { userName: plain.user_name }),
      ...(plain.first_name !== undefined && { firstName: plain.first_name }),
      ...(plain.last_name !== undefined && { lastName: plain.last_name }),
      ...(plain.headline !== undefined && { headline: plain.headline }),
      ...(plain.company_name !== undefined && { companyName: plain.company_name }),
      ...(plain.company_position !== undefined && { companyPosition: plain.company_position }),
      ...(plain.avatar_icon !== undefined && { avatarIcon: plain.avatar_icon }),
      ...(plain.is_discoverable !== undefined && { isDiscoverable: plain.is_discoverable }),
      ...(social_urls && { socialUrls: { ...user.socialUrls, ...social_urls } }),
      ...avatar,
    };
    if (Object.keys(changed).length === 0) return user;
    try {
      const [row] = await tx.update(users).set(changed).where(eq(users.id, user.id)).returning();
      if (avatar_upload_id !== undefined) await retirePicture(tx, user.avatarAssetId);
      await emit('user.updated', { user_id: user.id, fields: Object.keys(update) });
      return row ?? user;
    } catch (error) {
      throw namedConflict(error);
    }
  });
}

export async function updatePreferences(
  ctx: Context,
  update: EndpointInput<'account', 'updatePreferences'>,
): Promise<Preferences> {
  if (update.time_zone && !isTimeZone(update.time_zone)) throw invalidField('time_zone', 'Is not a known time zone');
  return ctx.write(async ({ tx, emit }) => {
    const user = await lockSelf(ctx, tx);
    const before = preferencesOf(user);
    const notifications = { ...before.notifications, ...update.notifications };
    const preferences = { ...before, ...update, notifications };
    await tx.update(users).set({ preferences }).where(eq(users.id, user.id));
    if (update.email_notifications && user.email && user.emailConfirmedAt) await liftRefusal(tx, user.email);
    await emit('user.updated', { user_id: user.id, fields: ['preferences'] });
    return preferences;
  });
}

export async function updateAboutPage(
  ctx: Context,
  update: EndpointInput<'account', 'updateAboutPage'>,
): Promise<UserRow> {
  return ctx.write(async ({ tx, emit }) => {
    const user = await requireSelf(ctx, tx);
    const changed = {
      ...(update.content_rich !== undefined && { aboutPage: update.content_rich }),
      ...(update.content_rich_draft !== undefined && { aboutPageDraft: update.content_rich_draft }),
    };
    if (Object.keys(changed).length === 0) return user;
    const [row] = await tx.update(users).set(changed).where(eq(users.id, user.id)).returning();
    await emit('user.updated', { user_id: user.id, fields: ['about_page'] });
    return row ?? user;
  });
}

export async function viewUser(ctx: Context, id: string): Promise<UserRow> {
  const user = await findUser(ctx.db, id);
  if (!user) throw notFound('This person');
  ctx.authorize('user.view', user);
  return user;
}

export async function countReferred(ctx: Context, code: string | null): Promise<number> {
  if (!code) return 0;
  return ctx.db.$count(users, and(eq(users.referredBy, code), ne(users.isGuest, true)));
}

export async function firstAdmin(db: Reader): Promise<UserRow | null> {
  const [admin] = await db.select().from(users).where(eq(users.role, 'admin')).orderBy(users.createdAt).limit(1);
  return admin ?? null;
}

/** Guests who have not come back for three months cannot any more: their sessions have ended. */
export async function sweepGuests(ctx: Context): Promise<void> {
  const threeMonthsAgo = new Date(ctx.now().getTime() - 90 * 24 * 60 * 60_000);
  await ctx.db.delete(users).where(and(eq(users.isGuest, true), lt(users.activeAt, threeMonthsAgo)));
}

/** A unique index decides who gets a name; this says which field lost. */
export function namedConflict(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isUniqueViolation(error, 'users_user_name')) return invalidField('user_name', 'This user name is taken');
  if (isUniqueViolation(error, 'users_email'))
    return invalidField('email', 'An account with this address already exists');
  return error;
}

const codeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const newReferralCode = () => Array.from({ length: 10 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');
