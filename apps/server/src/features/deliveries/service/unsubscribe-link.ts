import { apiPrefix } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { seal, unseal } from '../../secrets/seal.ts';

const purpose = 'report.unsubscribe';

/** A page for people, and an address that mail programs call by themselves (RFC 8058). */
export function unsubscribeLink(ctx: Context, publicationId: string, address: string) {
  const [key] = ctx.config.secretKeys;
  if (!key) throw new Error('There is no key to seal addresses with');
  const token = Buffer.from(seal(key, '', purpose, `${publicationId} ${address}`), 'base64').toString('base64url');
  return {
    page: `${ctx.config.url}/unsubscribe#report=${token}`,
    oneClick: `${ctx.config.url}${apiPrefix}/v1/report_unsubscribe/${token}`,
    words: 'Stop getting this report',
  };
}

export function linkContent(ctx: Context, token: string): { publicationId: string; address: string } {
  for (const key of ctx.config.secretKeys) {
    try {
      const [publicationId = '', address = ''] = unseal(key, '', purpose, token).split(' ');
      return { publicationId, address };
    } catch {
      // Another key, or nothing of ours.
    }
  }
  throw new AppError('gone', 'This link is not valid any more.');
}
