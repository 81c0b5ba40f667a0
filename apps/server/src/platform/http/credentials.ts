import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Credentials } from '../actor.ts';
import type { Response } from '../context.ts';
import { isOriginAllowed } from './hosts.ts';

/** Plain http cannot carry a Secure cookie in every browser, so the strict name is for https only. */
const cookieName = (config: Config, name: 'session' | 'device' = 'session') =>
  config.isHttps ? `__Host-${name}` : name;

/** The longest that browsers keep a cookie. */
const deviceLifeSeconds = 400 * 24 * 60 * 60;

/**
 * Whether the request comes from our own pages (or from no page at all). For other requests, on any method, the cookie is
 * neither read nor set: that is the whole protection against forged requests.
 */
function isSameOrigin(request: FastifyRequest, config: Config): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return isOriginAllowed(config, request.headers.origin ?? null, request.host);
}

export function readCredentials(request: FastifyRequest, config: Config): Credentials {
  const authorization = request.headers.authorization ?? '';
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
  const cookies = isSameOrigin(request, config) ? request.cookies : {};
  const cookie = cookies[cookieName(config)] ?? null;
  const apiKey = request.headers['x-api-key'];
  return {
    token: bearer ?? cookie,
    tokenSource: bearer ? 'bearer' : 'cookie',
    apiKey: typeof apiKey === 'string' ? apiKey : null,
    device: cookies[cookieName(config, 'device')] ?? null,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  };
}

export function cookieResponse(request: FastifyRequest, reply: FastifyReply, config: Config): Response {
  const options = { path: '/', httpOnly: true, secure: config.isHttps, sameSite: 'lax' } as const;
  return {
    openSession(token, expiresAt) {
      if (isSameOrigin(request, config)) reply.setCookie(cookieName(config), token, { ...options, expires: expiresAt });
    },
    closeSession() {
      if (isSameOrigin(request, config)) reply.clearCookie(cookieName(config), options);
    },
    rememberDevice(device) {
      if (!isSameOrigin(request, config)) return;
      reply.setCookie(cookieName(config, 'device'), device, { ...options, maxAge: deviceLifeSeconds });
    },
    retryAfter(seconds) {
      reply.header('retry-after', String(seconds));
    },
  };
}
