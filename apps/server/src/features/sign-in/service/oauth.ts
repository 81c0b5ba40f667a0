import type { EndpointInput } from '@atoll/contract';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError, invalidField, unauthorized } from '../../../platform/errors.ts';
import { requireRecentSignIn } from '../../../platform/recent-sign-in.ts';
import { hashSecret, newSecret } from '../../../platform/secrets.ts';
import { type OauthStateRow, oauthStates } from '../table.ts';
import { enterFromOutside } from './outside-accounts.ts';
import type { SignedIn } from './password.ts';
import { providerFor, redirectUri } from './providers.ts';

const stateLife = 10 * 60_000;
/** The reason that adds a way in to the caller's account instead of signing in. */
const connecting = 'connect';

export async function beginOauth(ctx: Context, input: EndpointInput<'signIn', 'oauthState'>) {
  const { sessionId } = ctx.actor;
  if (!sessionId) throw unauthorized();
  if (input.reason === connecting) requireRecentSignIn(ctx);
  const expiresAt = new Date(ctx.now().getTime() + stateLife);
  const [state, nonce, codeVerifier] = [newSecret(), newSecret(), newSecret()];
  const url = input.provider
    ? await providerFor(ctx, input.provider).authorizationUrl(ctx, {
        redirectUri: redirectUri(ctx, input.provider),
        state,
        nonce,
        codeVerifier,
      })
    : null;
  await ctx.write(({ tx }) =>
    tx.insert(oauthStates).values({
      stateHash: hashSecret(state),
      sessionId,
      provider: input.provider ?? null,
      reason: input.reason,
      ...(input.provider ? { codeVerifier, nonce } : {}),
      returnTo: input.return_to ?? null,
      createdAt: ctx.now(),
      expiresAt,
    }),
  );
  return { state, authorization_url: url, expires_at: expiresAt.toISOString() };
}

type Finish = EndpointInput<'signIn', 'oauthCallback'>;

export async function finishOauth(ctx: Context, input: Finish): Promise<SignedIn & { returnTo: string | null }> {
  const provider = providerFor(ctx, input.provider);
  if (!input.code && !input.error) throw invalidField('code', 'Is missing');
  const { reason, nonce, codeVerifier, returnTo } = await useState(ctx, input);
  if (input.error || !input.code) throw refusedThere(ctx, input);
  if (!nonce || !codeVerifier) throw notBegunHere();
  const request = { redirectUri: redirectUri(ctx, input.provider), state: input.state, nonce, codeVerifier };
  const account = await provider.account(ctx, request, { code: input.code, iss: input.iss });
  const entrance = { method: input.provider, isConnecting: reason === connecting };
  return { ...(await ctx.write((write) => enterFromOutside(ctx, write, account, entrance))), returnTo };
}

/** Uses the state up before the provider is asked: whatever comes of it, it works once. */
async function useState(ctx: Context, { provider, state }: Finish): Promise<OauthStateRow> {
  const { sessionId } = ctx.actor;
  if (!sessionId) throw notBegunHere();
  const now = ctx.now();
  // Bound to session and provider: nobody finishes what another browser began, nor one provider what another did.
  const begun = and(
    eq(oauthStates.stateHash, hashSecret(state)),
    eq(oauthStates.sessionId, sessionId),
    eq(oauthStates.provider, provider),
  );
  const [used] = await ctx.write(({ tx }) =>
    tx
      .update(oauthStates)
      .set({ usedAt: now })
      .where(and(begun, isNull(oauthStates.usedAt), gt(oauthStates.expiresAt, now)))
      .returning(),
  );
  if (used) return used;
  const [over] = await ctx.db.select({ id: oauthStates.id }).from(oauthStates).where(begun);
  throw over ? new AppError('gone', 'This sign-in has expired. Start again.') : notBegunHere();
}

const notBegunHere = () => unauthorized('This sign-in was started in another browser. Start again.');

function refusedThere(ctx: Context, { provider, error, error_description }: Finish): AppError {
  ctx.log.info({ provider, error, error_description }, 'A provider refused a sign-in');
  return error === 'access_denied'
    ? unauthorized('You did not allow the sign-in.')
    : unauthorized('The provider refused the sign-in. Start again.');
}
