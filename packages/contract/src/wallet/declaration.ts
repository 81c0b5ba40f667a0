import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const walletDeclaration = declare({
  permissions: ['wallet.view', 'wallet.redeem', 'wallet.credit', 'wallet.transfer'],
  events: {
    'voucher.created': z.object({ voucher_id: id }),
    'wallet.changed': z.object({
      user_id: id,
      transaction_id: id,
      kind: z.string(),
      amount: z.int(),
    }),
  },
  personEvents: {
    wallet_changed: z.object({}).describe('Units were added to your wallet or taken from it'),
  },
});
