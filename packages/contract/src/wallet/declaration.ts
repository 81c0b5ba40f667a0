import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const walletDeclaration = declare({
  permissions: ['wallet.view'],
  events: {
    'wallet.changed': z.object({
      user_id: id,
      transaction_id: id,
      kind: z.string(),
      amount: z.int(),
      balance: z.int(),
    }),
  },
  personEvents: {
    wallet_changed: z.object({ balance: z.int() }).describe('Units were added to your wallet or taken from it'),
  },
});
