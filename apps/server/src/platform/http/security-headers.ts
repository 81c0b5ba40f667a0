import { apiPrefix } from '@atoll/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';

/** Pages other sites may show in a frame: embeds anywhere, the mini-app's entry in Telegram's web client. */
function frameAncestors(path: string): string {
  if (path.startsWith('/embed/')) return '*';
  return path === '/tma' ? "'self' https://web.telegram.org" : "'none'";
}

export function pagePolicy(path: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self' blob: data:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors(path)}`,
  ].join('; ');
}

/** The frame in which what users' code shows may run: not as our origin, and nothing it knows can leave it. */
export const outputPolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  'worker-src blob:',
  "frame-ancestors 'self'",
].join('; ');

/**
 * For pages that users wrote: what they know cannot leave them. A content policy says nothing about WebRTC; this header is what
 * closes it, in browsers that know it.
 */
export const sandboxHeaders = (policy: string) => ({
  'content-security-policy': policy,
  'connection-allowlist': '(response-origin)',
});

export function addSecurityHeaders(http: FastifyInstance, config: Config): void {
  http.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-resource-policy': 'same-origin',
      // Signing in elsewhere is a redirect, so no page needs the window that opened it.
      'cross-origin-opener-policy': 'same-origin',
    });
    if (config.isHttps) reply.header('strict-transport-security', 'max-age=31536000');
    if (request.url.startsWith(apiPrefix)) reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  });
  http.addHook('onResponse', async (request, reply) => {
    // The path only: a query can hold tokens.
    const line = {
      method: request.method,
      path: request.url.split('?')[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (reply.statusCode >= 500) request.log.warn(line, 'Request failed');
    else request.log.debug(line, 'Request');
  });
}
