import { errorText } from '@atoll/contract';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Config } from '../../../config.ts';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { denied, unauthorized } from '../../../platform/errors.ts';
import { discover, isSafeAddress, unreachable } from './discovery.ts';
import { accountOf, personClaims } from './openid.ts';
import { enterFromOutside } from './outside-accounts.ts';
import type { SignedIn } from './password.ts';

/** Only signatures that the issuer alone can make; a shared secret would let its other holders in. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const clockToleranceSeconds = 30;

const services = {
  identity_manager: (config: Config) => config.identityService,
  organization: (config: Config) => config.organitz,
};

/** Signs in by a token that an issuer the server trusts made for it. */
export async function signInByIdentityToken(
  ctx: Context,
  managedBy: keyof typeof services,
  token: string,
  origin: { userSource: string | null; referral: string | null },
): Promise<SignedIn> {
  const service = services[managedBy](ctx.config);
  if (!service) throw denied('disabled_in_configuration', 'This identity service is not connected to the server.');
  const { issuer, claims } = await verified(ctx, service, token);
  const account = {
    provider: managedBy,
    issuer,
    subject: claims.sub ?? '',
    managedBy,
    ...accountOf(personClaims.parse(claims)),
  };
  return ctx.write((write) => enterFromOutside(ctx, write, account, { method: managedBy, ...origin }));
}

async function verified(ctx: Context, service: { url: string; audience: string }, token: string) {
  const metadata = (await discover(ctx, service.url, { clientId: service.audience })).serverMetadata();
  const { issuer, jwks_uri } = metadata;
  try {
    const { payload } = await jwtVerify(token, keysAt(ctx, jwks_uri), {
      issuer,
      audience: service.audience,
      algorithms: asymmetric,
      requiredClaims: ['sub', 'exp'],
      currentDate: ctx.now(),
      clockTolerance: clockToleranceSeconds,
    });
    return { issuer, claims: payload };
  } catch (error) {
    if (isRefused(error)) {
      // The error itself holds the claims of the person.
      ctx.log.info({ reason: String(error), issuer }, 'An identity token was not accepted');
      throw unauthorized(errorText.authenticationFailed);
    }
    throw unreachable(ctx, issuer, error);
  }
}

/** The library's own errors are about the token, except those about fetching the keys. */
const isRefused = (error: unknown) =>
  error instanceof errors.JOSEError &&
  error.code !== errors.JOSEError.code &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid);

const keySets = appState(() => new Map<string, JWTVerifyGetKey>());

/** The library keeps the keys for a while, and asks again when a token names one it has not seen. */
function keysAt(ctx: Context, address: string | undefined): JWTVerifyGetKey {
  if (!address || !isSafeAddress(address)) throw new Error('The issuer tells no safe address of its keys');
  const sets = keySets(ctx);
  const keys = sets.get(address) ?? createRemoteJWKSet(new URL(address), { timeoutDuration: 10_000 });
  sets.set(address, keys);
  return keys;
}
