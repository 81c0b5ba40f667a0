import { apiPrefix } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { openForServer, sealForServer } from '../../secrets/seal.ts';

const purpose = 'report.unsubscribe';

/** A page for people, and an address that mail programs call by themselves (RFC 8058). */
export function unsubscribeLink(ctx: Context, publicationId: string, address: string) {
  const sealed = sealForServer(ctx.config.secretKeys, purpose, `${publicationId} ${address}`);
  const token = Buffer.from(sealed, 'base64').toString('base64url');
  return {
    page: `${ctx.config.url}/unsubscribe#report=${token}`,
    oneClick: `${ctx.config.url}${apiPrefix}/v1/report_unsubscribe/${token}`,
    words: 'Stop getting this report',
  };
}

export function linkContent(ctx: Context, token: string): { publicationId: string; address: string } {
  const opened = openForServer(ctx.config.secretKeys, purpose, token);
  if (opened === null) throw new AppError('gone', 'This link is not valid any more.');
  const [publicationId = '', address = ''] = opened.split(' ');
  return { publicationId, address };
}
