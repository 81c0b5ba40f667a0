import { apiPrefix } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import { openForServer, sealForServer } from '../secrets/seal.ts';

/** Whose mail it is about, sealed: it needs no signing in, names nobody, and can choose about mail and nothing else. */
const tokenFor = ({ config }: Context, address: string): string =>
  Buffer.from(sealForServer(config.secretKeys, 'unsubscribe', address), 'base64').toString('base64url');

export function addressIn({ config }: Context, token: string): string {
  const address = openForServer(config.secretKeys, 'unsubscribe', token);
  if (address !== null) return address;
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
