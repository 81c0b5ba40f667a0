import type { OauthProvider } from '@atoll/contract';
import type { OauthClient } from '../../../config.ts';
import type { Context } from '../../../platform/context.ts';
import { denied } from '../../../platform/errors.ts';
import { githubProvider } from './github.ts';
import { openidProvider } from './openid.ts';
import type { Provider } from './provider.ts';

type Settings = Context['config']['oauth'];

const table: Record<OauthProvider, (settings: Settings) => Provider | null> = {
  github: (settings) => settings.github && githubProvider(settings.github, settings.githubUrl),
  google: (settings) => openid('google', settings.google, settings.googleIssuer),
  microsoft: (settings) => openid('microsoft', settings.microsoft, settings.microsoftIssuer),
  oidc: (settings) => openid('oidc', settings.oidc, settings.oidcIssuer),
};

const openid = (name: OauthProvider, client: OauthClient | null, issuer: string | null) =>
  client && issuer ? openidProvider(name, client, issuer) : null;

export function providerFor(ctx: Context, name: OauthProvider): Provider {
  const provider = table[name](ctx.config.oauth);
  if (!provider) throw denied('disabled_in_configuration', 'This sign-in provider is not configured.');
  return provider;
}

/** One address per provider, so that an answer of one cannot be taken for another's. */
export const redirectUri = (ctx: Context, name: OauthProvider) => `${ctx.config.url}/auth/${name}`;
