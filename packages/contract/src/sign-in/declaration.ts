import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const signInDeclaration = declare({
  permissions: ['passkey.list', 'passkey.create', 'passkey.delete', 'slack.notify'],
  events: {
    'user.signed_up': z.object({
      user_id: id,
      was_guest: z.boolean(),
      referral_code: z.string().nullable(),
      /** Whether a person has signed in on the same device before. */
      is_known_device: z.boolean().optional(),
    }),
    'guest.merged': z.object({ guest_user_id: id, user_id: id }),
    'sign_in_link.requested': z.object({ user_id: id, return_to: z.string().nullable() }),
    'password_reset.requested': z.object({ user_id: id }),
    'email_confirmation.requested': z.object({ user_id: id, email: z.string() }),
    'credentials.changed': z.object({
      user_id: id,
      what: z.enum(['email', 'password', 'passkey', 'connection']),
      previous_email: z.string().nullable().optional(),
    }),
  },
});
