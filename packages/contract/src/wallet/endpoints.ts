import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, empty, id, line, list, page, time } from '../fields.ts';
import { balanceEntry, creditRequest, mostUnits, units, voucher, walletKinds } from './entity.ts';

const about = { permission: 'wallet.view', tag: 'Wallet', flag: 'wallet' } as const;
const balance = z.int().min(0).describe('In units');
const signedUnits = z
  .int()
  .min(-mostUnits)
  .max(mostUnits)
  .refine((amount) => amount !== 0, 'Must not be zero');
const admin = { permission: 'wallet.credit', tag: 'Wallet', keyScope: 'never' } as const;
const ofPerson = z.strictObject({ id });
const position = z.coerce
  .number()
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .optional()
  .describe('`next` of the page before');
const entries = {
  entries: z.array(balanceEntry),
  next: z.int().nullable().describe('Where the next page begins; null on the last one'),
};

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
    .input(walletFilter.extend({ before: position, page_size: page(20, 100) }))
    .output(
      z.object({
        balance,
        reserved: z.int().min(0).describe('Part of the balance that AI answers in progress may cost at most'),
        unbounded_balance: balance,
        ...entries,
      }),
    ),

  redeem: endpoint('POST', '/v1/wallet/vouchers/redeem', {
    permission: 'wallet.redeem',
    tag: 'Wallet',
    flag: 'wallet',
    keyScope: 'never',
    summary: 'Redeem a voucher',
  })
    .input(z.strictObject({ code: line(100).min(1, 'Enter the code of the voucher') }))
    .output(z.object({ units, balance })),

  transfer: endpoint('POST', '/v1/wallet/transfer', {
    permission: 'wallet.transfer',
    tag: 'Wallet',
    flag: 'wallet',
    keyScope: 'never',
    summary: 'Move units between your wallet and the optional service',
    description:
      'Above zero they come into the wallet, below zero they leave it. Sent again with the same `request_id`, it moves nothing more.',
  })
    .input(z.strictObject({ amount: signedUnits, request_id: id.optional() }))
    .output(z.object({ id, balance, unbounded_balance: balance })),

  unboundedConfig: endpoint('GET', '/v1/unbounded/config', {
    ...about,
    summary: 'Whether the optional service is there',
  })
    .input(empty)
    .output(z.object({ enabled: z.boolean() })),

  transferStatus: endpoint('GET', '/v1/unbounded/tx_status/{id}', { ...about, summary: 'What became of a transfer' })
    .input(z.strictObject({ id }))
    .output(z.object({ id, status: z.literal('completed'), amount: z.int(), date: time })),

  vouchers: endpoint('GET', '/v1/admin/vouchers', { ...admin, summary: 'All vouchers, newest first' })
    .input(z.strictObject({ page: page(1), page_size: page(20, 100) }))
    .output(list(voucher)),

  createVoucher: endpoint('POST', '/v1/admin/vouchers', {
    ...admin,
    summary: 'Create a voucher',
    description:
      'The code is answered this once: only its hash is stored. Above the limit of the installation it waits for another admin.',
  })
    .input(
      z
        .strictObject({
          units,
          count: z.int().min(1).max(100_000).default(1),
          expires_at: time.nullable().default(null),
          note: line(200).default(''),
        })
        .refine(({ units, count }) => units * count <= mostUnits, {
          path: ['count'],
          error: `All of them together are more than ${mostUnits} units`,
        }),
    )
    .output(voucher.extend({ code: z.string() })),

  entriesOf: endpoint('GET', '/v1/admin/users/{id}/wallet_transactions', {
    ...admin,
    summary: 'The entries of a wallet',
  })
    .input(ofPerson.extend({ before: position, page_size: page(20, 100) }))
    .output(z.object({ balance, ...entries })),

  credit: endpoint('POST', '/v1/admin/users/{id}/wallet_transactions', {
    ...admin,
    summary: 'Add units to a wallet, or take some from it',
    description:
      'Sent again with the same `request_id`, it does nothing more. Above the limit of the installation it waits for another admin.',
  })
    .input(
      ofPerson.extend({
        request_id: id,
        amount: signedUnits,
        reason: line(200).min(1, 'Say why'),
      }),
    )
    .output(z.object({ balance, is_waiting: z.boolean().describe('For another admin to approve it') })),

  creditRequests: endpoint('GET', '/v1/admin/credit_requests', {
    ...admin,
    summary: 'Units that wait for a second admin, oldest first',
  })
    .input(empty)
    .output(z.object({ entries: z.array(creditRequest), limit: z.int() })),
  approveCredit: endpoint('POST', '/v1/admin/credit_requests/{id}/approve', {
    ...admin,
    summary: 'Move the units that another admin asked for',
  })
    .input(ofPerson)
    .output(done),
  rejectCredit: endpoint('POST', '/v1/admin/credit_requests/{id}/reject', { ...admin, summary: 'Do not move them' })
    .input(ofPerson)
    .output(done),
};

export const walletRawEndpoints = {
  csv: rawEndpoint('GET', '/v1/wallet/csv', { ...about, summary: 'The entries of your wallet as csv' }),
};
