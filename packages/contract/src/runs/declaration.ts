import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const runsDeclaration = declare({
  events: {
    'run.started': z.object({ run_id: id, project_id: id }),
    'run.ended': z.object({ run_id: id, project_id: id, status: z.enum(['succeeded', 'failed', 'aborted']) }),
  },
});
