import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const aiDeclaration = declare({
  permissions: ['ai.use', 'ai.configure', 'ai.price'],
  events: {
    'ai_provider.changed': z.object({
      provider_id: id,
      user_id: id.nullable(),
      change: z.enum(['created', 'updated', 'deleted']),
    }),
    'ai_price.changed': z.object({ model: z.string() }),
  },
});
