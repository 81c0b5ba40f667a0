import { apiPrefix } from '@atoll/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';

/** Pages other sites may show in a frame: the mini-app's entry in Telegram's web client. */
const frameAncestors = (path: string): string => (path === '/tma' ? "'self' https://web.telegram.org" : "'none'");

export function pagePolicy(path: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self' blob: data:",
    "media-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors(path)}`,
  ].join('; ');
}

/**
 * Headers of a page for frames of other sites; everything it shows is inside it. Other sites may load it, also isolated
 * ones.
 */
export const framedHeaders = (ancestors: readonly string[]) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'media-src data:',
    // The libraries of charts, as text for the frames that draw them.
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
  ].join('; '),
  'cross-origin-resource-policy': 'cross-origin',
});

/** Headers of a page that is printed: it contains its content and loads only our own fonts and scripts. */
export const printedHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
};

/** The rules of the frame that runs output of users' code: it has not our origin, and its data cannot leave it. */
const outputRules = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  'worker-src blob:',
];
export const outputPolicy = [...outputRules, "frame-ancestors 'self'"].join('; ');
/** Within an embed the other site is an ancestor too. */
export const embeddedOutputPolicy = outputRules.join('; ');

/**
 * Headers of pages that users wrote, so that their data cannot leave them. A content policy does not cover WebRTC; this
 * header closes it in browsers that support it.
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
    // Log the path only, because a query can hold tokens.
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
