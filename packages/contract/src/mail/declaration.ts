import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const mailDeclaration = declare({
  permissions: ['mail.choose'],
  events: {
    'mail.limits_changed': z.object({}),
    'mail.choice_changed': z.object({ user_id: id.nullable(), is_refused: z.boolean() }),
  },
});
