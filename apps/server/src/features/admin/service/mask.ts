import type { Session } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError, unauthorized } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { answerOpened } from '../../sessions/answer.ts';
import { endSessions, openSession, storeSession } from '../../sessions/service.ts';
import { sessions } from '../../sessions/table.ts';
import { findUser } from '../../users/service.ts';
import { lockUser } from './admins.ts';

const maskLife = 60 * 60_000;

/** Open connections end with the time that was allowed, too. */
export const endMaskJob = defineJob({
  kind: 'admin.end_mask',
  payload: z.object({ session_id: z.uuid() }),
  concurrency: 2,
  run: ({ ctx, payload, finish }) =>
    finish(async (write) => void (await endSessions(ctx, write, eq(sessions.id, payload.session_id), 'mask_expired'))),
});

export async function mask(ctx: Context, id: string, reason: string): Promise<Session> {
  const { userId, sessionId } = ctx.actor;
  if (!userId || !sessionId) throw unauthorized();
  if (id === userId) throw new AppError('conflict', 'You are this person.');
  const opened = await ctx.write(async (write) => {
    const user = await lockUser(write, id);
    if (user.role === 'admin') throw new AppError('forbidden', 'Admins cannot act as other admins.');
    if (user.suspendedAt) throw new AppError('conflict', 'This account is suspended. Lift the suspension first.');
    const expiresAt = new Date(ctx.now().getTime() + maskLife);
    const fields = { userId: id, actorId: userId, originId: sessionId, method: 'mask', expiresAt };
    const masked = await storeSession(ctx, write, fields);
    await recordAction(ctx, write, { action: 'user.masked', subject: { type: 'user', id }, reason });
    await write.enqueue(endMaskJob, { session_id: masked.session.id }, { key: masked.session.id, dueAt: expiresAt });
    return masked;
  });
  return answerOpened(ctx, { user: { id }, opened });
}

/** Back to the session it began from, with a new token; one that has ended meanwhile lets nobody back in. */
export async function unmask(ctx: Context): Promise<Session> {
  const { sessionId, impersonatorId, userId } = ctx.actor;
  if (!sessionId || !impersonatorId) throw unauthorized();
  const back = await ctx.write(async (write) => {
    const [masked] = await write.tx.select().from(sessions).where(eq(sessions.id, sessionId)).for('update');
    const [origin] = await write.tx
      .select()
      .from(sessions)
      .where(and(eq(sessions.id, masked?.originId ?? sessionId), isNull(sessions.endedAt), isNull(sessions.actorId)));
    const admin = await findUser(write.tx, impersonatorId);
    await endSessions(ctx, write, eq(sessions.id, sessionId), 'unmasked');
    await recordAction(ctx, write, { action: 'user.unmasked', subject: { type: 'user', id: userId ?? '' } });
    if (!origin || !admin || admin.suspendedAt || origin.expiresAt <= ctx.now()) return null;
    const opened = await openSession(ctx, write, admin, { method: origin.method, isProof: false });
    // It is the same person at the same browser: how long ago they proved it has not changed.
    await write.tx
      .update(sessions)
      .set({ authenticatedAt: origin.authenticatedAt, expiresAt: origin.expiresAt })
      .where(eq(sessions.id, opened.session.id));
    await endSessions(ctx, write, eq(sessions.id, origin.id), 'replaced');
    const { authenticatedAt, expiresAt } = origin;
    return { user: admin, opened: { ...opened, session: { ...opened.session, authenticatedAt, expiresAt } } };
  });
  if (back) return answerOpened(ctx, back);
  ctx.response.closeSession();
  throw unauthorized();
}
