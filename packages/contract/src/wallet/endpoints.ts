import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { empty, page, time } from '../fields.ts';
import { balanceEntry, walletKinds } from './entity.ts';

const about = { permission: 'wallet.view', tag: 'Wallet', flag: 'wallet' } as const;
const balance = z.int().min(0).describe('In units');

export const walletFilter = z.strictObject({
  kind: z.enum(walletKinds).optional(),
  from: time.optional(),
  to: time.optional().describe('Not included'),
});

export const walletEndpoints = {
  balance: endpoint('GET', '/v1/balance', { ...about, summary: 'Your balance' })
    .input(empty)
    .output(z.object({ balance })),

  get: endpoint('GET', '/v1/wallet', { ...about, summary: 'Your balance and its entries, newest first' })
    .input(
      walletFilter.extend({
        before: z.coerce
          .number()
          .int()
          .min(1)
          .max(Number.MAX_SAFE_INTEGER)
          .optional()
          .describe('`next` of the page before'),
        page_size: page(20, 100),
      }),
    )
    .output(
      z.object({
        balance,
        unbounded_balance: balance,
        entries: z.array(balanceEntry),
        next: z.int().nullable().describe('Where the next page begins; null on the last one'),
      }),
    ),
};

export const walletRawEndpoints = {
  csv: rawEndpoint('GET', '/v1/wallet/csv', { ...about, summary: 'The entries of your wallet as csv' }),
};
