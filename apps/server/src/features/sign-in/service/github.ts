import { errorText } from '@atoll/contract';
import * as client from 'openid-client';
import { z } from 'zod';
import type { OauthClient } from '../../../config.ts';
import type { Context } from '../../../platform/context.ts';
import { unauthorized } from '../../../platform/errors.ts';
import { isSafeAddress, unreachable } from './discovery.ts';
import type { OauthAnswer, OauthRequest, Provider } from './provider.ts';

const timeoutMs = 10_000;

/** GitHub answers 200 to a refused code too, with `error` instead of the token. */
const tokenAnswer = z.object({ access_token: z.string().optional(), error: z.string().optional() });
const person = z.object({
  id: z.int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub signs people in by OAuth without OpenID Connect: no discovery, no ID token, an API instead. */
export function githubProvider(credentials: OauthClient, enterpriseUrl: string | null): Provider {
  const site = enterpriseUrl ?? 'https://github.com';
  const api = enterpriseUrl ? `${enterpriseUrl}/api/v3` : 'https://api.github.com';
  return {
    async authorizationUrl(_ctx, { redirectUri, state, codeVerifier }) {
      const url = new URL(`${site}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: credentials.clientId,
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },

    async account(ctx, request, answer) {
      const token = await redeemCode(ctx, site, credentials, request, answer);
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      };
      const user = await ask(ctx, `${api}/user`, person, { headers });
      const emails = await ask(ctx, `${api}/user/emails`, addresses, { headers });
      const primary = emails.find((address) => address.primary);
      const [firstName = '', ...others] = (user.name ?? '').split(' ');
      return {
        provider: 'github',
        issuer: site,
        subject: String(user.id),
        email: primary?.email ?? null,
        isEmailVerified: primary?.verified ?? false,
        userName: user.login,
        firstName,
        lastName: others.join(' '),
        avatar: user.avatar_url ?? null,
      };
    },
  };
}

async function redeemCode(
  ctx: Context,
  site: string,
  credentials: OauthClient,
  { redirectUri, codeVerifier }: OauthRequest,
  { code }: OauthAnswer,
): Promise<string> {
  const { access_token, error } = await ask(ctx, `${site}/login/oauth/access_token`, tokenAnswer, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }),
  });
  if (access_token) return access_token;
  ctx.log.info({ error }, 'GitHub did not accept a code');
  throw unauthorized(errorText.authenticationFailed);
}

async function ask<Answer>(ctx: Context, url: string, shape: z.ZodType<Answer>, init: RequestInit): Promise<Answer> {
  try {
    if (!isSafeAddress(url)) throw new Error('Only https is allowed');
    const response = await fetch(url, {
      ...init,
      // GitHub answers 403 to requests that do not say who they are.
      headers: { 'user-agent': 'atoll', ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
    return shape.parse(await response.json());
  } catch (error) {
    throw unreachable(ctx, url, error);
  }
}
