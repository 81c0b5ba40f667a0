/** With the token of the mail that asked, without signing in. */
import { personName } from '@atoll/contract/users/names';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import { mailedName } from '../../mail/names.ts';
import { users } from '../../users/table.ts';
import { personView } from '../../users/view.ts';
import { reportConsents } from '../table.ts';
import { answerWithinMs, hashOf } from './recipients.ts';

const isGone = () => new AppError('gone', 'This link is not valid any more. It works once, and for 30 days.');

async function requireAsked(ctx: Context, db: Database | Transaction, token: string) {
  const [found] = await db
    .select({ sender: users, consent: reportConsents })
    .from(reportConsents)
    .innerJoin(users, eq(users.id, reportConsents.senderId))
    .where(
      and(
        eq(reportConsents.tokenHash, hashSecret(token)),
        eq(reportConsents.state, 'waiting'),
        gt(reportConsents.askedAt, new Date(ctx.now().getTime() - answerWithinMs)),
        isNull(users.suspendedAt),
        isNull(users.deletedAt),
      ),
    );
  if (!found) throw isGone();
  return found;
}

export async function consentAskedBy(ctx: Context, token: string): Promise<{ sender: string }> {
  const { sender } = await requireAsked(ctx, ctx.db, token);
  return { sender: mailedName(personName(personView(sender))) };
}

export const answerConsent = (ctx: Context, token: string, isWanted: boolean): Promise<void> =>
  ctx.write(async ({ tx, emit }) => {
    const { consent } = await requireAsked(ctx, tx, token);
    const answered = await tx
      .update(reportConsents)
      .set({ state: isWanted ? 'confirmed' : 'refused', tokenHash: null })
      .where(eq(reportConsents.tokenHash, hashSecret(token)))
      .returning({ senderId: reportConsents.senderId });
    // Answered at the same time, the first counts.
    if (answered.length === 0) throw isGone();
    await emit('report.consent_answered', { sender_id: consent.senderId, is_wanted: isWanted });
  });

/** For good: adding the address again asks for nothing. */
export async function refuseAccount(tx: Transaction, senderId: string, address: string): Promise<void> {
  const [sender] = await tx.select({ id: users.id }).from(users).where(eq(users.id, senderId));
  if (!sender) return;
  const refused = { state: 'refused' as const, tokenHash: null };
  await tx
    .insert(reportConsents)
    .values({ senderId, addressHash: hashOf(address), ...refused })
    .onConflictDoUpdate({ target: [reportConsents.senderId, reportConsents.addressHash], set: refused });
}
