import { apiPrefix } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { openForServer, sealForServer } from '../../secrets/seal.ts';

const purpose = 'report.unsubscribe';

interface LinkContent {
  publicationId: string;
  address: string;
  /** Links of mail from before have none. */
  senderId: string | null;
}

/** The token is in the fragment: no log of a server on the way gets it. */
export const unsubscribePage = (ctx: Context, token: string) => `${ctx.config.url}/unsubscribe#report=${token}`;

/** A page for people, and an address that mail programs call by themselves (RFC 8058). */
export function unsubscribeLink(ctx: Context, { publicationId, address, senderId }: LinkContent) {
  const sealed = sealForServer(ctx.config.secretKeys, purpose, [publicationId, address, senderId].join(' '));
  const token = Buffer.from(sealed, 'base64').toString('base64url');
  return {
    page: unsubscribePage(ctx, token),
    oneClick: `${ctx.config.url}${apiPrefix}/v1/report_unsubscribe/${token}`,
    words: 'Stop getting this report',
  };
}

export function linkContent(ctx: Context, token: string): LinkContent {
  const opened = openForServer(ctx.config.secretKeys, purpose, token);
  if (opened === null) throw new AppError('gone', 'This link is not valid any more.');
  const [publicationId = '', address = '', senderId] = opened.split(' ');
  return { publicationId, address, senderId: senderId || null };
}
