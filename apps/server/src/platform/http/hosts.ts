import { apiPrefix } from '@atoll/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../errors.ts';

const hostnameOf = (host: string | undefined): string | null =>
  host && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null;

/**
 * Only configured names are ours. A foreign page can point its own name here (DNS rebinding): then its Origin and its Host
 * agree with each other, which proves nothing.
 */
export const isHostAllowed = (config: Config, host: string | undefined): boolean =>
  config.hosts.includes(hostnameOf(host) ?? '');

/** A null origin means that no page sent the request. */
export function isOriginAllowed(config: Config, origin: string | null, host: string | undefined): boolean {
  if (origin === null || origin === config.origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host && isHostAllowed(config, host);
}

/** Health checks call a server by any address. */
const healthPaths = [`${apiPrefix}/live`, `${apiPrefix}/ready`];

export function refuseOtherHosts(http: FastifyInstance, config: Config): void {
  http.addHook('onRequest', async (request) => {
    if (isHostAllowed(config, request.host) || healthPaths.includes(request.url)) return;
    const advice =
      'This server does not answer under this name. Its operator can add it with ATOLL_URL or ATOLL_HOSTS.';
    throw new AppError('misdirected_request', advice);
  });
}
