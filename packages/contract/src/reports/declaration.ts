import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const reportsDeclaration = declare({
  events: {
    'report.updated': z.object({ publication_id: id, project_id: id }),
    'report.rendered': z.object({ publication_id: id, project_id: id, format: z.enum(['pdf', 'png']), pages: z.int() }),
  },
});
