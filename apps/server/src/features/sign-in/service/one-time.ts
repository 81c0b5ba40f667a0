import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { hashSecret, newSecret } from '../../../platform/secrets.ts';
import { type OneTimePurpose, type OneTimeTokenRow, oneTimeTokens } from '../table.ts';

const minute = 60_000;
const lifeOf: Record<OneTimePurpose, number> = {
  sign_in_link: 15 * minute,
  password_reset: 60 * minute,
  email_confirmation: 7 * 24 * 60 * minute,
  telegram: 60 * minute,
  telegram_chat: 30 * minute,
  passkey: 5 * minute,
};

interface OneTime {
  purpose: OneTimePurpose;
  userId?: string | null;
  email?: string | null;
  returnTo?: string | null;
  lifeMs?: number;
}

/** Makes a token that works once; only its hash stays here. */
export async function createOneTimeToken(ctx: Context, write: Write, fields: OneTime): Promise<string> {
  const token = newSecret();
  await rememberOneTime(ctx, write, token, fields);
  return token;
}

/** Stores a secret made elsewhere (a challenge, launch data); false when it was stored before. */
export async function rememberOneTime(ctx: Context, write: Write, secret: string, fields: OneTime): Promise<boolean> {
  const now = ctx.now();
  const stored = await write.tx
    .insert(oneTimeTokens)
    .values({
      purpose: fields.purpose,
      tokenHash: hashSecret(secret),
      userId: fields.userId ?? null,
      email: fields.email ?? null,
      returnTo: fields.returnTo ?? null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + (fields.lifeMs ?? lifeOf[fields.purpose])),
    })
    .onConflictDoNothing()
    .returning({ id: oneTimeTokens.id });
  return stored.length > 0;
}

/** Uses a token up. Of two requests with the same one, the conditional update lets exactly one through. */
export async function useOneTimeToken(
  ctx: Context,
  write: Write,
  purpose: OneTimePurpose,
  token: string,
): Promise<OneTimeTokenRow | null> {
  const [row] = await write.tx
    .update(oneTimeTokens)
    .set({ usedAt: ctx.now() })
    .where(
      and(
        eq(oneTimeTokens.purpose, purpose),
        eq(oneTimeTokens.tokenHash, hashSecret(token)),
        isNull(oneTimeTokens.usedAt),
        gt(oneTimeTokens.expiresAt, ctx.now()),
      ),
    )
    .returning();
  return row ?? null;
}

/** A mailed link must not outlive the address or the password it was mailed for. */
export async function cancelMailedLinks(write: Write, userId: string): Promise<void> {
  await write.tx
    .delete(oneTimeTokens)
    .where(
      and(
        eq(oneTimeTokens.userId, userId),
        inArray(oneTimeTokens.purpose, ['sign_in_link', 'password_reset']),
        isNull(oneTimeTokens.usedAt),
      ),
    );
}

export const linkIsOver = () => new AppError('gone', 'This link was already used or has expired. Request a new one.');
