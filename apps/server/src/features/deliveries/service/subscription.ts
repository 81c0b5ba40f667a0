import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { requirePublication } from '../../publications/service/access.ts';
import { publications } from '../../publications/table.ts';
import { requireSelf } from '../../users/service.ts';
import { users } from '../../users/table.ts';
import { reportRefusals, reportSubscribers } from '../table.ts';
import { refuseAccount } from './consent.ts';
import { hashOf } from './recipients.ts';
import { linkContent } from './unsubscribe-link.ts';

interface Subscription {
  is_subscribed: boolean;
  address: string | null;
}

export async function subscriptionOf(ctx: Context, publicationId: string): Promise<Subscription> {
  const readable = await requirePublication(ctx, ctx.db, publicationId, 'publication.view');
  ctx.authorize('report.subscribe', readable);
  const self = await requireSelf(ctx);
  const [row] = await ctx.db
    .select({ id: reportSubscribers.userId })
    .from(reportSubscribers)
    .where(and(eq(reportSubscribers.publicationId, publicationId), eq(reportSubscribers.userId, self.id)));
  return { is_subscribed: row !== undefined, address: self.emailConfirmedAt ? self.email : null };
}

export async function subscribe(ctx: Context, publicationId: string): Promise<Subscription> {
  const { id, email, emailConfirmedAt } = await requireSelf(ctx);
  return ctx.write(async ({ tx, emit }) => {
    const readable = await requirePublication(ctx, tx, publicationId, 'publication.view');
    ctx.authorize('report.subscribe', readable);
    if (!email || !emailConfirmedAt)
      throw new AppError('unprocessable_entity', 'Confirm your e-mail address first: the report goes there.');
    const made = await tx
      .insert(reportSubscribers)
      .values({ publicationId, userId: id, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ id: reportSubscribers.userId });
    await tx
      .delete(reportRefusals)
      .where(and(eq(reportRefusals.publicationId, publicationId), eq(reportRefusals.addressHash, hashOf(email))));
    if (made.length > 0) await emit('report.subscribed', { publication_id: publicationId, user_id: id });
    return { is_subscribed: true, address: email };
  });
}

export async function unsubscribe(ctx: Context, publicationId: string): Promise<Subscription> {
  const { id: userId, email, emailConfirmedAt } = await requireSelf(ctx);
  return ctx.write(async ({ tx, emit }) => {
    const readable = await requirePublication(ctx, tx, publicationId, 'publication.view');
    ctx.authorize('report.subscribe', readable);
    const gone = await tx
      .delete(reportSubscribers)
      .where(and(eq(reportSubscribers.publicationId, publicationId), eq(reportSubscribers.userId, userId)))
      .returning({ id: reportSubscribers.userId });
    if (gone.length > 0) await emit('report.unsubscribed', { publication_id: publicationId, user_id: userId });
    return { is_subscribed: false, address: emailConfirmedAt ? email : null };
  });
}

/** Whoever has the link had the mail. */
export async function unsubscribeByLink(ctx: Context, token: string, isWholeAccount: boolean): Promise<void> {
  const { publicationId, address, senderId } = linkContent(ctx, token);
  await ctx.write(async ({ tx, emit }) => {
    if (isWholeAccount && senderId) {
      await refuseAccount(tx, senderId, address);
      await emit('report.consent_answered', { sender_id: senderId, is_wanted: false });
    }
    const [publication] = await tx
      .select({ id: publications.id })
      .from(publications)
      .where(eq(publications.id, publicationId))
      .for('share');
    // There is nothing more to come.
    if (!publication) return;
    const [owner] = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, address.toLowerCase()));
    if (owner)
      await tx
        .delete(reportSubscribers)
        .where(and(eq(reportSubscribers.publicationId, publicationId), eq(reportSubscribers.userId, owner.id)));
    await tx
      .insert(reportRefusals)
      .values({ publicationId, addressHash: hashOf(address), createdAt: ctx.now() })
      .onConflictDoNothing();
    await emit('report.unsubscribed', { publication_id: publicationId, user_id: owner?.id ?? null });
  });
}
