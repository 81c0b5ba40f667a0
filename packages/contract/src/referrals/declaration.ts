import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const referralsDeclaration = declare({
  permissions: ['referral.view'],
  events: {
    'referral.changed': z.object({ referral_id: id }),
    'referral.used': z.object({ user_id: id, owner_id: id.nullable(), state: z.string() }),
  },
  personEvents: { referrals_changed: z.object({}).describe('A person signed up by your link') },
});
