import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const publicationsDeclaration = declare({
  permissions: [
    'publication.list',
    'publication.view',
    'publication.clap',
    'publication.execute',
    'publication.publish',
  ],
  events: {
    'publication.published': z.object({ publication_id: id, project_id: id, version_number: z.int() }),
    'publication.updated': z.object({ publication_id: id, project_id: id }),
    'publication.unpublished': z.object({ publication_id: id, project_id: id }),
    'publication.run_ended': z.object({ run_id: id, project_id: id, state: z.enum(['published', 'failed']) }),
  },
  entities: ['publication'],
});
