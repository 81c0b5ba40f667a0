import { and, desc, eq, gt, isNull, lt, ne, or } from 'drizzle-orm';
import type { Actor, Authentication, Credentials } from '../../platform/actor.ts';
import { anonymous, nobody } from '../../platform/actor.ts';
import type { Context, Services, Write } from '../../platform/context.ts';
import { AppError, notFound, unauthorized } from '../../platform/errors.ts';
import { hashSecret, newSecret } from '../../platform/secrets.ts';
import { personOf } from '../users/service.ts';
import { flagColumns, type UserRow, users } from '../users/table.ts';
import { type SessionRow, sessions, socketTokens } from './table.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Spec section 3: a session's nominal life. Unused for as long as `idleLife`, it ends sooner. */
export const sessionLife = 365 * day;
export const idleLife = 90 * day;
/** How long after a sign-in sensitive acts need no new one. */
export const recentLife = 120 * minute;
/** `last_seen_at` is a courtesy to the user; writing it on every request would be one write per read. */
const seenResolution = 5 * minute;
const socketTokenLife = minute;

export interface OpenedSession {
  token: string;
  session: SessionRow;
}

/** Opens a session with a fresh token and ends the one that asked for it: a token never outlives a change of rights. */
export async function openSession(
  ctx: Context,
  write: Write,
  user: UserRow,
  options: { method: string; isProof: boolean },
): Promise<OpenedSession> {
  const now = ctx.now();
  const opened = await storeSession(ctx, write, {
    userId: user.id,
    method: options.method,
    authenticatedAt: options.isProof ? now : null,
    expiresAt: new Date(now.getTime() + sessionLife),
  });
  if (ctx.actor.sessionId) await endSessions(ctx, write, eq(sessions.id, ctx.actor.sessionId), 'replaced');
  if (!user.isGuest)
    await write.emit('session.opened', { session_id: opened.session.id, user_id: user.id, method: options.method });
  return opened;
}

type NewSession = Pick<SessionRow, 'userId' | 'method' | 'expiresAt'> & Partial<SessionRow>;

/** A row with a fresh token, for the browser that asks. */
export async function storeSession(ctx: Context, { tx }: Write, fields: NewSession): Promise<OpenedSession> {
  const token = newSecret();
  const { userAgent, ip } = ctx.credentials;
  const now = ctx.now();
  const [session] = await tx
    .insert(sessions)
    .values({ ...fields, tokenHash: hashSecret(token), createdAt: now, lastSeenAt: now, userAgent, ip })
    .returning();
  if (!session) throw new Error('The session was not stored');
  return { token, session };
}

/** Gives the same session a new token: what GET /v1/me?refresh_session=true asks for. Its end stays where it was. */
export async function renewSession(ctx: Context): Promise<OpenedSession> {
  const token = newSecret();
  return ctx.write(async ({ tx }) => {
    const [session] = await tx
      .update(sessions)
      .set({ tokenHash: hashSecret(token), lastSeenAt: ctx.now() })
      .where(and(eq(sessions.id, ctx.actor.sessionId ?? nobody), isNull(sessions.endedAt), isNull(sessions.actorId)))
      .returning();
    if (!session) throw unauthorized();
    return { token, session };
  });
}

type Where = ReturnType<typeof and>;

export async function endSessions(ctx: Context, write: Write, where: Where, reason: string): Promise<number> {
  const ended = await write.tx
    .update(sessions)
    .set({ endedAt: ctx.now(), endReason: reason })
    .where(and(where, isNull(sessions.endedAt)))
    .returning({ id: sessions.id, userId: sessions.userId });
  for (const { id, userId } of ended) await write.emit('session.ended', { session_id: id, user_id: userId, reason });
  return ended.length;
}

/** After a change of password or role nobody else may still be in with the old rights. */
export const endOtherSessions = (ctx: Context, write: Write, userId: string, reason: string) =>
  endSessions(
    ctx,
    write,
    ctx.actor.sessionId
      ? and(eq(sessions.userId, userId), ne(sessions.id, ctx.actor.sessionId))
      : eq(sessions.userId, userId),
    reason,
  );

export async function logOut(ctx: Context): Promise<void> {
  if (!ctx.actor.sessionId) throw unauthorized();
  const { sessionId } = ctx.actor;
  await ctx.write((write) => endSessions(ctx, write, eq(sessions.id, sessionId), 'logged_out'));
  ctx.response.closeSession();
}

export async function listSessions(ctx: Context): Promise<SessionRow[]> {
  return ctx.db
    .select()
    .from(sessions)
    .where(
      and(eq(sessions.userId, ctx.actor.userId ?? nobody), isNull(sessions.endedAt), gt(sessions.expiresAt, ctx.now())),
    )
    .orderBy(desc(sessions.lastSeenAt));
}

export async function endSession(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const [session] = await write.tx.select().from(sessions).where(eq(sessions.id, id)).for('update');
    if (!session || session.endedAt) throw notFound('This session');
    ctx.authorize('session.end', session);
    await endSessions(ctx, write, eq(sessions.id, id), 'ended_by_user');
  });
  if (id === ctx.actor.sessionId) ctx.response.closeSession();
}

export async function createSocketToken(ctx: Context): Promise<{ token: string; expiresAt: Date }> {
  const { sessionId } = ctx.actor;
  if (!sessionId) throw new AppError('forbidden', 'The realtime connection needs a session, not an API key.');
  const token = newSecret();
  const expiresAt = new Date(ctx.now().getTime() + socketTokenLife);
  await ctx.write(({ tx }) => tx.insert(socketTokens).values({ tokenHash: hashSecret(token), sessionId, expiresAt }));
  return { token, expiresAt };
}

/** Who a bearer token or cookie stands for; one query, on every request. */
export async function authenticateToken(services: Services, credentials: Credentials): Promise<Authentication> {
  if (!credentials.token) return { actor: anonymous, problem: null };
  const row = await findSession(services, eq(sessions.tokenHash, hashSecret(credentials.token)));
  return authenticateSession(services, row, credentials.tokenSource);
}

/** Who a realtime connection stands for. */
export async function authenticateSocketToken(services: Services, token: string): Promise<Authentication> {
  const [found] = await services.db
    .select({ sessionId: socketTokens.sessionId })
    .from(socketTokens)
    .where(and(eq(socketTokens.tokenHash, hashSecret(token)), gt(socketTokens.expiresAt, services.now())));
  const row = found && (await findSession(services, eq(sessions.id, found.sessionId)));
  return authenticateSession(services, row, 'bearer');
}

async function findSession({ db }: Services, where: Where) {
  const [row] = await db
    .select({
      session: sessions,
      role: users.role,
      isGuest: users.isGuest,
      suspendedAt: users.suspendedAt,
      suspensionMessage: users.suspensionMessage,
      ...flagColumns,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(where);
  return row;
}

async function authenticateSession(
  { db, now }: Services,
  row: Awaited<ReturnType<typeof findSession>>,
  via: Credentials['tokenSource'],
): Promise<Authentication> {
  if (!row || row.session.endedAt) return { actor: anonymous, problem: 'invalid' };
  const { session } = row;
  const time = now().getTime();
  const isOver = session.expiresAt.getTime() <= time || session.lastSeenAt.getTime() + idleLife <= time;
  if (isOver) return { actor: anonymous, problem: 'expired' };
  if (row.suspendedAt) {
    return { actor: anonymous, problem: 'suspended', message: row.suspensionMessage ?? undefined };
  }
  if (session.actorId && !(await mayStillMask(db, session))) return { actor: anonymous, problem: 'expired' };
  if (time - session.lastSeenAt.getTime() > seenResolution) {
    await db.update(sessions).set({ lastSeenAt: now() }).where(eq(sessions.id, session.id));
    await db.update(users).set({ activeAt: now() }).where(eq(users.id, session.userId));
  }
  return { actor: sessionActor(row, via, time), problem: null };
}

/** Who is no admin any more, or has signed out, acts as nobody else either. */
async function mayStillMask(db: Services['db'], { actorId, originId }: SessionRow): Promise<boolean> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(
      sessions,
      and(eq(sessions.id, originId ?? nobody), eq(sessions.userId, users.id), isNull(sessions.endedAt)),
    )
    .where(and(eq(users.id, actorId ?? nobody), eq(users.role, 'admin'), isNull(users.suspendedAt)));
  return admin !== undefined;
}

function sessionActor(
  row: NonNullable<Awaited<ReturnType<typeof findSession>>>,
  via: Credentials['tokenSource'],
  time: number,
): Actor {
  const { session } = row;
  return {
    ...anonymous,
    ...personOf({ ...row, id: session.userId }),
    sessionId: session.id,
    impersonatorId: session.actorId,
    via,
    isRecentlyAuthenticated: session.authenticatedAt !== null && time - session.authenticatedAt.getTime() < recentLife,
    authenticatedAt: session.authenticatedAt,
    sessionExpiresAt: session.expiresAt,
    planFeatures: row.planFeatures,
    overrides: row.overrides,
    roleOverrides: row.roleOverrides,
  };
}

/** Sessions that ended long ago are of use to nobody. */
export async function sweepSessions(ctx: Context): Promise<void> {
  const monthAgo = new Date(ctx.now().getTime() - 30 * day);
  await ctx.db.delete(sessions).where(or(lt(sessions.endedAt, monthAgo), lt(sessions.expiresAt, monthAgo)));
  await ctx.db.delete(socketTokens).where(lt(socketTokens.expiresAt, ctx.now()));
}
