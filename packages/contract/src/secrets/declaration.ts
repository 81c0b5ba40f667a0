import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const secretsDeclaration = declare({
  permissions: ['secret.list', 'secret.create', 'secret.edit'],
  events: {
    'secret.changed': z.object({ secret_id: id, user_id: id, change: z.enum(['created', 'updated', 'deleted']) }),
  },
});
