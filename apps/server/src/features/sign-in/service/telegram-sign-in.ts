import { errorText } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { denied, unauthorized } from '../../../platform/errors.ts';
import { identities } from '../table.ts';
import { rememberOneTime } from './one-time.ts';
import { enterFromOutside } from './outside-accounts.ts';
import type { SignedIn } from './password.ts';
import {
  readInitData,
  readLoginData,
  type TelegramPerson,
  telegramMaxAgeSeconds,
  telegramMaxAheadSeconds,
} from './telegram.ts';

/** Telegram's numbers for people are the same for every bot and every way in. */
export const telegramIssuer = 'https://telegram.org';
const longestReferral = 60;

const readers = { init_data: readInitData, login_data: readLoginData };

/** Signs in by what Telegram signed; null when the caller is in by it already. */
export async function signInByTelegram(
  ctx: Context,
  kind: keyof typeof readers,
  raw: string,
  userSource: string | null,
): Promise<SignedIn | null> {
  const botToken = ctx.config.telegramBotToken;
  if (!botToken) throw denied('disabled_in_configuration', 'Telegram is not connected to this server.');
  const person = readers[kind](raw, botToken, ctx.now());
  if (!person) throw unauthorized(errorText.authenticationFailed);
  return ctx.write(async (write) => {
    if (await isFirstUse(ctx, write, person)) return enter(ctx, write, person, userSource);
    // Telegram sends the same data again when a mini-app's page is reloaded; to anybody else it is a recording.
    if (await isCaller(ctx, write, person)) return null;
    throw unauthorized(errorText.authenticationFailed);
  });
}

const isFirstUse = (ctx: Context, write: Write, person: TelegramPerson) =>
  rememberOneTime(ctx, write, person.proof, {
    purpose: 'telegram',
    lifeMs: (telegramMaxAgeSeconds + telegramMaxAheadSeconds) * 1000,
  });

async function isCaller(ctx: Context, write: Write, person: TelegramPerson): Promise<boolean> {
  if (!ctx.actor.sessionId || !ctx.actor.userId) return false;
  const [own] = await write.tx
    .select({ id: identities.id })
    .from(identities)
    .where(
      and(
        eq(identities.issuer, telegramIssuer),
        eq(identities.subject, String(person.id)),
        eq(identities.userId, ctx.actor.userId),
      ),
    );
  return own !== undefined;
}

function enter(ctx: Context, write: Write, person: TelegramPerson, userSource: string | null): Promise<SignedIn> {
  const { id, firstName, lastName, userName, avatar, startParam } = person;
  const isReferral = startParam !== null && startParam.length <= longestReferral && /^[\w-]+$/.test(startParam);
  const account = {
    provider: 'telegram',
    issuer: telegramIssuer,
    subject: String(id),
    email: null,
    isEmailVerified: false,
    userName,
    firstName,
    lastName,
    avatar,
    managedBy: 'messaging_app',
  } as const;
  // A code in the address could be anybody's; Telegram signs the one the person came with.
  const referral = isReferral ? startParam : null;
  return enterFromOutside(ctx, write, account, { method: 'telegram', userSource, referral });
}
