import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerConfig } from '@atoll/contract';
import type { Config } from '../../config.ts';

const run = promisify(execFile);

const git = (...args: string[]) =>
  run('git', args, { cwd: import.meta.dirname }).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  );

/** Which build this is: told by the configuration, or asked of the checkout once. */
export async function readBuild(config: Config) {
  const commit = config.build.commit ?? (await git('rev-parse', 'HEAD'));
  const tag = config.build.tag ?? (await git('describe', '--tags', '--exact-match'));
  return { commit, short: commit?.slice(0, 7) ?? null, tag };
}

/** Everything optional is off until it is configured (spec section 3). */
export function serverConfigOf(config: Config): ServerConfig {
  const { oauth } = config;
  const providers = [
    oauth.github && { id: 'github', name: 'GitHub' },
    oauth.google && { id: 'google', name: 'Google' },
    oauth.microsoft && { id: 'microsoft', name: 'Microsoft' },
    oauth.oidc && oauth.oidcIssuer && { id: 'oidc', name: oauth.oidcName },
  ];
  return {
    integrations: {
      identity_service: { enabled: config.identityService !== null, url: config.identityService?.url ?? null },
      github: { enabled: oauth.github !== null },
      slack: { enabled: config.slackSigningSecret !== null },
      exchanges: { enabled: config.trading.isConnected },
      unbounded: { enabled: config.hasUnbounded },
      sentry: { enabled: config.hasErrorReports },
      telegram: { enabled: config.telegramBotToken !== null },
    },
    publication_providers: [
      ...(config.mail.isDelivered ? ['email'] : []),
      'slack',
      ...(config.telegramBotToken ? ['telegram'] : []),
      'webhook',
    ],
    kernels: { network: config.kernels.hasNetwork },
    mail: { is_delivered: config.mail.isDelivered },
    sign_in: { local: config.signUp, providers: providers.filter((provider) => provider !== null && provider !== '') },
  };
}
