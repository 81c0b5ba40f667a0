import { type EndpointInput, errorText, type Session } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/db/columns.ts';
import { unauthorized } from '../../platform/errors.ts';
import { problemError } from '../../platform/http/guard.ts';
import { answerOpened, answerSession } from '../sessions/answer.ts';
import { openSession, renewSession } from '../sessions/service.ts';
import type { SessionParts } from '../sessions/view.ts';
import { githubConnection } from '../sign-in/service/connections.ts';
import { signInByToken } from '../sign-in/service/outside-tokens.ts';
import { countReferred, createGuest, noteReferralCode, requireSelf } from '../users/service.ts';

type MeQuery = EndpointInput<'session', 'me'>;

/** Who is calling, in the order of the spec: a token from outside, the session that came along, or a guest. */
export async function me(ctx: Context, query: MeQuery): Promise<Session> {
  const signedIn = await signInByToken(ctx, query);
  if (signedIn) return answerOpened(ctx, signedIn, await partsOf(ctx, query, signedIn.user.id));

  if (ctx.credentialProblem && !(ctx.credentialProblem === 'expired' && query.session_continue)) {
    // Otherwise the browser would send the same dead cookie with its retry, for ever.
    if (ctx.credentialProblem !== 'expired') ctx.response.closeSession();
    throw problemError(ctx);
  }

  const { userId, sessionId } = ctx.actor;
  if (userId) {
    if (query.referral_code && ctx.actor.kind === 'guest') await noteReferralCode(ctx, userId, query.referral_code);
    const parts = await partsOf(ctx, query, userId);
    if (query.refresh_session && sessionId)
      return answerOpened(ctx, { user: { id: userId }, opened: await renewSession(ctx) }, parts);
    return answerSession(ctx, userId, parts);
  }
  return welcomeGuest(ctx, query);
}

/** A guest id opens nothing: one that is taken needs its token too, or the caller must come with another. */
async function welcomeGuest(ctx: Context, query: MeQuery): Promise<Session> {
  await ctx.limits.take('guest', ctx.credentials.ip);
  const opened = await ctx.write(async (write) => {
    const guest = await createGuest(write, {
      guestId: query.guest_id ?? newId(),
      userSource: query.user_source ?? null,
      referredBy: query.referral_code ?? null,
      now: ctx.now(),
    });
    if (!guest) throw unauthorized(errorText.authenticationFailed);
    return { user: guest, opened: await openSession(ctx, write, guest, { method: 'guest', isProof: false }) };
  });
  return answerOpened(ctx, opened, await partsOf(ctx, query, opened.user.id));
}

async function partsOf(ctx: Context, query: MeQuery, userId: string): Promise<SessionParts> {
  return {
    features: query.with_features,
    roles: query.with_roles,
    preferences: query.with_preferences,
    trial: query.with_trial,
    documentation: query.with_documentation_enabled,
    ...(query.with_github ? { github: await githubConnection(ctx, userId) } : {}),
  };
}

export async function signupStats(ctx: Context) {
  const user = await requireSelf(ctx);
  const day = 24 * 60 * 60_000;
  return {
    signup_date: user.createdAt.toISOString(),
    days_since_signup: Math.floor((ctx.now().getTime() - user.createdAt.getTime()) / day),
    user_source: user.userSource,
    referral_code: user.referralCode,
    referred_users_count: await countReferred(ctx, user.referralCode),
  };
}
