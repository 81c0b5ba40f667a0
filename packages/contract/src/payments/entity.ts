import { z } from 'zod';
import { id, time } from '../fields.ts';

export const purchaseStates = ['pending', 'paid', 'failed', 'expired', 'refunded', 'disputed'] as const;
export type PurchaseState = (typeof purchaseStates)[number];

export const unitPurchase = z.object({
  id,
  units: z.int(),
  state: z.enum(purchaseStates),
  url: z.string().nullable().describe('Where to pay, while that is possible'),
  created_at: time,
});
export type UnitPurchase = z.infer<typeof unitPurchase>;

export const unitPurchaseInfo = z.object({
  provider: z.enum(['stripe', 'manual']),
  is_available: z.boolean().describe('Whether units can be bought here'),
  message: z.string().describe('How to get units'),
  currency: z.literal('usd'),
  unit_price: z.int().describe('Of one unit, in cents'),
  least_units: z.int(),
  most_units: z.int(),
  packages: z.array(z.int()).describe('Amounts to choose from'),
});
export type UnitPurchaseInfo = z.infer<typeof unitPurchaseInfo>;
