import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const uploadsDeclaration = declare({
  permissions: ['upload.create', 'upload.write', 'asset.view'],
  events: {
    'upload.completed': z.object({ upload_id: id }),
  },
});
