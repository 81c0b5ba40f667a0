import { randomBytes } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type AdapterFactory, type AdapterPayload, Provider } from 'oidc-provider';
import { visit } from './test-browser.ts';
import { startTestServer } from './test-server.ts';

const home = 'http://localhost:4000/auth/';
const client = { id: 'atoll-client', secret: 'atoll-client-secret' };
const keyPair = () => generateKeyPair('RS256', { extractable: true });
const ownKey = await keyPair();
const strangersKey = await keyPair();

export interface TestAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  preferred_username?: string;
}

interface Options {
  /** Whether the ID token tells the address, or only the userinfo endpoint does. */
  hasClaimsInToken?: boolean;
  /** How clients may send their secret. */
  secretIn?: 'client_secret_basic' | 'client_secret_post';
}

/** A real OpenID provider on loopback. Its people sign in and consent at once; the test says who is at the keyboard. */
export async function startOidcProvider(options: Options = {}) {
  const accounts = new Map<string, TestAccount>();
  const { secretIn = 'client_secret_post' } = options;
  let person = '';
  let change: ((claims: JWTPayload) => JWTPayload) | null = null;
  let signingKey = ownKey.privateKey;
  const publicJwk = { ...(await exportJWK(ownKey.privateKey)), kid: 'own', use: 'sig', alg: 'RS256' };
  const requests: string[] = [];

  const issuer = await startTestServer((url) => {
    const provider = new Provider(url, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          token_endpoint_auth_method: secretIn,
          redirect_uris: ['google', 'microsoft', 'oidc'].map((name) => home + name),
        },
      ],
      adapter: memory(),
      jwks: { keys: [publicJwk] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
      clientAuthMethods: [secretIn],
      pkce: { required: () => true },
      conformIdTokenClaims: !options.hasClaimsInToken,
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      async findAccount(_ctx, sub) {
        const account = accounts.get(sub);
        return account && { accountId: sub, claims: async () => ({ ...account }) };
      },
      async loadExistingGrant(ctx) {
        const { client: asking, session } = ctx.oidc;
        const grant = new ctx.oidc.provider.Grant({ clientId: asking?.clientId, accountId: session?.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (ctx, next) => {
      requests.push(ctx.path);
      await next();
      const answer = ctx.body as { id_token?: string } | undefined;
      if (ctx.path === '/token' && change && answer?.id_token) {
        answer.id_token = await sign(change(decodeJwt(answer.id_token)));
      }
    });
    const handle = provider.callback();
    return async (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return handle(request, response);
      const result = person
        ? { login: { accountId: person } }
        : { error: 'access_denied', error_description: 'The person said no' };
      await provider.interactionFinished(request, response, result);
    };
  });

  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(signingKey);

  return {
    issuer,
    /** The paths that were asked for, in order. */
    requests,
    /** A token this issuer made, for those who take tokens directly. */
    sign,
    env: (name: 'google' | 'microsoft' | 'oidc') => {
      const prefix = name.toUpperCase();
      return {
        [`${prefix}_ISSUER`]: issuer,
        [`${prefix}_CLIENT_ID`]: client.id,
        [`${prefix}_CLIENT_SECRET`]: client.secret,
      };
    },
    /** The person at the keyboard goes to the address and comes back with the provider's answer. */
    async answer(authorizationUrl: string, account: TestAccount | 'refuses') {
      if (account !== 'refuses') accounts.set(account.sub, account);
      person = account === 'refuses' ? '' : account.sub;
      return Object.fromEntries(await visit(authorizationUrl, home));
    },
    /** From now on ID tokens say something else, signed as they should be or by a key that is not the provider's. */
    changeTokens(to: (claims: JWTPayload) => JWTPayload, key: 'own key' | 'strangers key' = 'own key') {
      change = to;
      signingKey = key === 'own key' ? ownKey.privateKey : strangersKey.privateKey;
    },
  };
}

/** The library has one too, but warns each time that it is not for production. */
function memory(): AdapterFactory {
  const stored = new Map<string, AdapterPayload>();
  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const own = () => [...stored].filter(([key]) => key.startsWith(`${model}:`));
    return {
      upsert: async (id, payload) => void stored.set(keyOf(id), payload),
      find: async (id) => stored.get(keyOf(id)),
      findByUid: async (uid) => own().find(([, payload]) => payload.uid === uid)?.[1],
      findByUserCode: async () => undefined,
      consume: async (id) => void Object.assign(stored.get(keyOf(id)) ?? {}, { consumed: true }),
      destroy: async (id) => void stored.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of own()) if (payload.grantId === grantId) stored.delete(key);
      },
    };
  };
}
