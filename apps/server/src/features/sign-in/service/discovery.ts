import * as client from 'openid-client';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';

const timeoutSeconds = 10;

const hostsOfThisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** Secrets travel to these addresses; without encryption only within the machine. */
export function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && hostsOfThisMachine.includes(hostname));
}

export const isSameIssuer = (a: string, b: string) => a.replace(/\/+$/, '') === b.replace(/\/+$/, '');

export function unreachable(ctx: Context, issuer: string, error: unknown): AppError {
  ctx.log.warn({ error, issuer }, 'A sign-in provider could not be used');
  return new AppError('bad_gateway', 'The sign-in provider cannot be reached. Try again in a moment.');
}

const found = appState(() => new Map<string, Promise<client.Configuration>>());

/** What an issuer says about itself; asked once, and again after a failure. */
export async function discover(
  ctx: Context,
  issuer: string,
  id: { clientId: string; clientSecret?: string },
): Promise<client.Configuration> {
  const cache = found(ctx);
  const key = JSON.stringify([issuer, id.clientId]);
  const running = cache.get(key) ?? ask(issuer, id);
  cache.set(key, running);
  try {
    return await running;
  } catch (error) {
    if (cache.get(key) === running) cache.delete(key);
    throw unreachable(ctx, issuer, error);
  }
}

async function ask(issuer: string, id: { clientId: string; clientSecret?: string }): Promise<client.Configuration> {
  const execute = [client.enableNonRepudiationChecks];
  if (isSafeAddress(issuer) && issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
  const askAt = (address: string) =>
    client.discovery(new URL(address), id.clientId, undefined, authentication(id.clientSecret), {
      execute,
      timeout: timeoutSeconds,
    });
  try {
    return await askAt(issuer);
  } catch (error) {
    // The configuration drops a slash at the end, which is part of some issuers' names.
    const isOtherName = error instanceof client.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
    if (!isOtherName || issuer.endsWith('/')) throw error;
    return askAt(`${issuer}/`);
  }
}

/** Sends the secret in the way the issuer says it takes; one that does not say takes the header. */
function authentication(secret: string | undefined): client.ClientAuth {
  if (!secret) return client.None();
  const [inBody, inHeader] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, ...request) => {
    const isInBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (isInBody ? inBody : inHeader)(server, ...request);
  };
}
