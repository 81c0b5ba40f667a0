import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const filesDeclaration = declare({
  events: {
    'files.changed': z.object({
      project_id: id,
      file_ids: z.array(id),
      change: z.enum(['created', 'saved', 'moved', 'deleted', 'restored']),
      /** When it was no person: code that runs, or a notebook that is saved by itself. */
      origin: z.enum(['kernel', 'notebook']).optional(),
    }),
  },
});
