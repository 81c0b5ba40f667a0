import { errorText, type OauthProvider } from '@atoll/contract';
import * as client from 'openid-client';
import { z } from 'zod';
import type { OauthClient } from '../../../config.ts';
import type { Context } from '../../../platform/context.ts';
import { unauthorized } from '../../../platform/errors.ts';
import { discover, isSameIssuer, unreachable } from './discovery.ts';
import type { Provider } from './provider.ts';

const said = z.string().optional().catch(undefined);

/** The claims this product uses; a wrongly typed one counts as unsaid. */
export const personClaims = z.object({
  email: said,
  email_verified: z.boolean().optional().catch(undefined),
  preferred_username: said,
  name: said,
  given_name: said,
  family_name: said,
  picture: said,
});

export function accountOf(claims: z.infer<typeof personClaims>) {
  const [first = '', ...others] = (claims.name ?? '').split(' ');
  return {
    email: claims.email ?? null,
    isEmailVerified: claims.email_verified === true,
    // Some issuers put an address here.
    userName: claims.preferred_username?.split('@')[0] || null,
    firstName: claims.given_name ?? first,
    lastName: claims.family_name ?? others.join(' '),
    avatar: claims.picture ?? null,
  };
}

export function openidProvider(name: OauthProvider, credentials: OauthClient, issuer: string): Provider {
  return {
    async authorizationUrl(ctx, { redirectUri, state, nonce, codeVerifier }) {
      const configuration = await discover(ctx, issuer, credentials);
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        response_type: 'code',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async account(ctx, request, answer) {
      const configuration = await discover(ctx, issuer, credentials);
      const callback = new URL(request.redirectUri);
      callback.search = new URLSearchParams({
        code: answer.code,
        state: request.state,
        ...(answer.iss === undefined ? {} : { iss: answer.iss }),
      }).toString();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, callback, {
          expectedState: request.state,
          expectedNonce: request.nonce,
          pkceCodeVerifier: request.codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        // An issuer for many tenants would let each of them name anybody; only the configured one counts.
        if (!claims || !isSameIssuer(claims.iss, issuer)) throw unauthorized(errorText.authenticationFailed);
        const person = await completed(configuration, tokens.access_token, claims);
        return { provider: name, issuer: claims.iss, subject: claims.sub, ...accountOf(personClaims.parse(person)) };
      } catch (error) {
        throw refusal(ctx, issuer, error);
      }
    },
  };
}

/** Many issuers tell the address only when asked for it. */
async function completed(
  configuration: client.Configuration,
  accessToken: string,
  claims: client.IDToken,
): Promise<Record<string, unknown>> {
  if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
  return { ...claims, ...(await client.fetchUserInfo(configuration, accessToken, claims.sub)) };
}

const brokenConnection = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** A provider that is down is told apart from one that says no. */
function refusal(ctx: Context, issuer: string, error: unknown): unknown {
  const isDown =
    error instanceof TypeError ||
    (error instanceof client.ResponseBodyError && error.status >= 500) ||
    (error instanceof client.ClientError && brokenConnection.has(error.code ?? ''));
  if (isDown) return unreachable(ctx, issuer, error);
  // The error itself holds the claims of the person.
  ctx.log.info({ reason: String(error), issuer }, 'A sign-in at a provider was not accepted');
  return unauthorized(errorText.authenticationFailed);
}
