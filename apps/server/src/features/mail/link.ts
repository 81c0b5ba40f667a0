import { apiPrefix } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import { seal, unseal } from '../secrets/seal.ts';

/** Whose mail it is about, sealed: it needs no signing in, names nobody, and can choose about mail and nothing else. */
function tokenFor(ctx: Context, address: string): string {
  const [key] = ctx.config.secretKeys;
  if (!key) throw new Error('There is no key to seal addresses with');
  return Buffer.from(seal(key, '', 'unsubscribe', address), 'base64').toString('base64url');
}

export function addressIn(ctx: Context, token: string): string {
  for (const key of ctx.config.secretKeys) {
    try {
      return unseal(key, '', 'unsubscribe', token);
    } catch {
      // Another key, or nothing of ours.
    }
  }
  throw new AppError('gone', 'This link is not valid any more. If you have an account, choose in its preferences.');
}

/** The token is in the fragment: no log of a server on the way gets it. */
export const unsubscribePage = (ctx: Context, token: string) => `${ctx.config.url}/unsubscribe#token=${token}`;

/** A page for people, and an address that mail programs call by themselves (RFC 8058). */
export function unsubscribeLinks(ctx: Context, address: string): { page: string; oneClick: string } {
  const token = tokenFor(ctx, address);
  return {
    page: unsubscribePage(ctx, token),
    oneClick: `${ctx.config.url}${apiPrefix}/v1/unsubscribe/${token}`,
  };
}
