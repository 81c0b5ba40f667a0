import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const artifactsDeclaration = declare({
  events: { 'artifact.deleted': z.object({ project_id: id, artifact_id: id, file_id: id }) },
});
