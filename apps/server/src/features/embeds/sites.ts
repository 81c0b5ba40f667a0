import { getDomain } from 'tldts';

/** As `frame-ancestors` has it; the author sees it in their own workspace. */
export const ancestorsOf = (allowedSites: readonly string[]): string[] =>
  allowedSites.includes('*') ? ['*'] : ["'self'", ...allowedSites.filter((site) => !isTooWide(site))];

/** A wildcard below a public suffix, such as `co.uk` or `github.io`, allows sites of anyone. */
export function isTooWide(site: string): boolean {
  const [, host] = /^https?:\/\/\*\.([^:]+)/.exec(site) ?? [];
  return host !== undefined && getDomain(host, { allowPrivateDomains: true }) === null;
}
