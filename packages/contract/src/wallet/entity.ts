import { z } from 'zod';
import { id, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { mostUnits, voucherApprovals, walletKinds } from './values.ts';

export * from './values.ts';

export const units = z.int().min(1).max(mostUnits).describe('1 unit is 1 US cent');

/** The spec's Balance entry. */
export const balanceEntry = z.object({
  id,
  type: z.enum(['credit', 'debit']),
  kind: z.enum(walletKinds),
  amount: z.int().describe('In units; below zero for a debit'),
  balance: z.int().describe('After this entry'),
  note: z.string().describe('What it was for'),
  date: time,
});
export type BalanceEntry = z.infer<typeof balanceEntry>;

/** Units that an admin wants to give and another one has to approve. */
export const creditRequest = z.object({
  id,
  person: personSummary.nullable().describe('Whose wallet it changes; null for a voucher'),
  voucher: z.object({ id, units, count: z.int() }).nullable().describe('What brings them; null for a person'),
  amount: z.int().describe('Of a voucher: for all who can redeem it'),
  reason: z.string(),
  requested_by: personSummary.nullable(),
  is_yours: z.boolean(),
  created_at: time,
});
export type CreditRequest = z.infer<typeof creditRequest>;

export const voucher = z.object({
  id,
  units,
  count: z.int().describe('How many people can redeem it, each once'),
  approval: z.enum(voucherApprovals).describe('One that waits for a second admin cannot be redeemed yet'),
  redeemed: z.int(),
  expires_at: time.nullable(),
  note: z.string(),
  created_at: time,
});
export type Voucher = z.infer<typeof voucher>;
