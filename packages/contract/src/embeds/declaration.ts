import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const embedsDeclaration = declare({
  permissions: ['embed.view', 'embed.execute'],
  events: {
    'embed.changed': z.object({
      embed_id: id,
      project_id: id,
      file_id: id,
      change: z.enum(['created', 'updated', 'deleted']),
    }),
  },
});
