import type { Session } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { unauthorized } from '../../platform/errors.ts';
import { findUserWithRoles } from '../users/service.ts';
import type { UserRow } from '../users/table.ts';
import { rememberDevice } from './device.ts';
import type { OpenedSession } from './service.ts';
import { type SessionParts, sessionView } from './view.ts';

/** The session entity of somebody who is in already. */
export async function answerSession(ctx: Context, userId: string, parts: SessionParts): Promise<Session> {
  const found = await findUserWithRoles(ctx.db, userId);
  if (!found) throw unauthorized();
  const { authenticatedAt, sessionExpiresAt, impersonatorId: maskedById } = ctx.actor;
  return sessionView(ctx, { ...found, authenticatedAt, expiresAt: sessionExpiresAt, token: null, maskedById }, parts);
}

/** The session entity of somebody who just came in: with the token, and with the cookie for browsers. */
export async function answerOpened(
  ctx: Context,
  { user, opened }: { user: Pick<UserRow, 'id'>; opened: OpenedSession },
  parts: SessionParts = { features: true, roles: true, preferences: true },
): Promise<Session> {
  const found = await findUserWithRoles(ctx.db, user.id);
  if (!found) throw unauthorized();
  const { session, token } = opened;
  ctx.response.openSession(token, session.expiresAt);
  if (!found.user.isGuest && !session.actorId) rememberDevice(ctx, user.id);
  const { authenticatedAt, expiresAt, actorId: maskedById } = session;
  return sessionView(ctx, { ...found, authenticatedAt, expiresAt, token, maskedById }, parts);
}
