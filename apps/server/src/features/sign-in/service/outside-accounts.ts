import { errorText } from '@atoll/contract';
import { email as emailAddress } from '@atoll/contract/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, denied, unauthorized } from '../../../platform/errors.ts';
import { createUser, findUser, findUserByEmail, freeUserName } from '../../users/service.ts';
import type { UserRow } from '../../users/table.ts';
import { type IdentityRow, identities } from '../table.ts';
import { enterAs, type SignedIn } from './password.ts';

/** What somebody else says about a person who proved to them who they are. */
export interface OutsideAccount {
  provider: string;
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  userName: string | null;
  firstName: string;
  lastName: string;
  avatar: string | null;
  managedBy?: UserRow['managedBy'];
}

export interface Entrance {
  method: string;
  /** The caller asked, while signed in, for this account to become one more way in. */
  isConnecting?: boolean;
  userSource?: string | null;
  referral?: string | null;
}

/** Any constant will do; it only has to differ from the other advisory locks of the server. */
const newcomersLock = 7_214_002;

/** The one entrance for accounts from elsewhere. Issuer and subject decide who somebody is, never an address alone. */
export async function enterFromOutside(
  ctx: Context,
  write: Write,
  told: OutsideAccount,
  entrance: Entrance,
): Promise<SignedIn> {
  const account = cleaned(told);
  const known = await findIdentity(write, account);
  if (known) return enterKnown(ctx, write, known, account, entrance);
  // Of two requests at once the second must see the account the first one made.
  await write.tx.execute(sql`select pg_advisory_xact_lock(${newcomersLock})`);
  const justMade = await findIdentity(write, account);
  if (justMade) return enterKnown(ctx, write, justMade, account, entrance);

  if (entrance.isConnecting) return connect(ctx, write, account, entrance);
  const namesake = account.email ? await findUserByEmail(write.tx, account.email) : null;
  if (namesake) return enterByAddress(ctx, write, namesake, account, entrance);
  return enterAsNewcomer(ctx, write, account, entrance);
}

async function findIdentity(write: Write, { issuer, subject }: OutsideAccount): Promise<IdentityRow | null> {
  const [row] = await write.tx
    .select()
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row ?? null;
}

async function enterKnown(
  ctx: Context,
  write: Write,
  identity: IdentityRow,
  account: OutsideAccount,
  { method, isConnecting }: Entrance,
): Promise<SignedIn> {
  if (isConnecting && identity.userId !== ctx.actor.userId) {
    throw new AppError('conflict', 'This account is already connected to another user.');
  }
  const user = await findUser(write.tx, identity.userId);
  if (!user) throw unauthorized();
  const { name, avatar } = shown(account);
  if (name !== identity.name || avatar !== identity.avatar) {
    await write.tx.update(identities).set({ name, avatar }).where(eq(identities.id, identity.id));
  }
  return enterAs(ctx, write, user, method);
}

async function connect(ctx: Context, write: Write, account: OutsideAccount, { method }: Entrance): Promise<SignedIn> {
  const user = ctx.actor.kind === 'user' && ctx.actor.userId ? await findUser(write.tx, ctx.actor.userId) : null;
  if (!user) throw unauthorized();
  await link(ctx, write, user, account);
  return enterAs(ctx, write, user, method);
}

/** An address opens an existing account only when both sides made sure of it. */
async function enterByAddress(
  ctx: Context,
  write: Write,
  user: UserRow,
  account: OutsideAccount,
  { method }: Entrance,
): Promise<SignedIn> {
  if (!account.isEmailVerified || !user.emailConfirmedAt) {
    throw new AppError(
      'conflict',
      'An account with this e-mail address exists. Sign in to it first, then connect this account in your profile.',
    );
  }
  await link(ctx, write, user, account);
  return enterAs(ctx, write, user, method);
}

async function enterAsNewcomer(
  ctx: Context,
  write: Write,
  account: OutsideAccount,
  { method, userSource, referral }: Entrance,
): Promise<SignedIn> {
  // Whoever runs the identity service, the organization or the bot decides there who may come in.
  if (!ctx.config.signUp && !account.managedBy) {
    throw denied('disabled_in_configuration', 'Only admins can create accounts here.');
  }
  const { email, isEmailVerified, firstName, lastName, managedBy } = account;
  const wanted = account.userName ?? email?.split('@')[0] ?? `${firstName}${lastName}`;
  const user = await createUser(ctx, write, {
    email,
    isEmailConfirmed: email !== null && isEmailVerified,
    userName: await freeUserName(write.tx, wanted),
    firstName,
    lastName,
    managedBy,
    userSource,
    referredBy: referral,
  });
  await insertIdentity(ctx, write, user.id, account);
  if (email && !isEmailVerified) await write.emit('email_confirmation.requested', { user_id: user.id, email });
  return enterAs(ctx, write, user, method);
}

async function link(ctx: Context, write: Write, user: UserRow, account: OutsideAccount): Promise<void> {
  await insertIdentity(ctx, write, user.id, account);
  await write.emit('credentials.changed', { user_id: user.id, what: 'connection' });
}

async function insertIdentity(ctx: Context, write: Write, userId: string, account: OutsideAccount): Promise<void> {
  const { provider, issuer, subject } = account;
  await write.tx
    .insert(identities)
    .values({ userId, provider, issuer, subject, ...shown(account), createdAt: ctx.now() });
}

const shown = ({ userName, email, avatar }: OutsideAccount) => ({ name: userName ?? email, avatar });

const unfitForALine = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const asLine = (value: string, max: number) => value.replace(unfitForALine, '').trim().slice(0, max).trim();

/** Others' texts are held to the rules for what people type here; a subject that breaks them is nobody's. */
function cleaned(account: OutsideAccount): OutsideAccount {
  const { subject, avatar } = account;
  if (!subject || asLine(subject, 255) !== subject) throw unauthorized(errorText.authenticationFailed);
  const isAddress = emailAddress.safeParse(account.email).success;
  return {
    ...account,
    email: isAddress ? account.email : null,
    // Entra lets the owner of any tenant set this claim to any address.
    isEmailVerified: isAddress && account.isEmailVerified && account.provider !== 'microsoft',
    userName: (account.userName && asLine(account.userName, 60)) || null,
    firstName: asLine(account.firstName, 60),
    lastName: asLine(account.lastName, 60),
    avatar: avatar && avatar.length <= 1_000 && /^https?:\/\/[^\s\p{Cc}]+$/u.test(avatar) ? avatar : null,
  };
}
