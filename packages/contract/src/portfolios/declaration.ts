import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const portfoliosDeclaration = declare({
  permissions: ['portfolio.list', 'portfolio.create', 'portfolio.view', 'portfolio.edit', 'portfolio.trade'],
  events: {
    'portfolio.created': z.object({ project_id: id, user_id: id }),
    'portfolio.changed': z.object({ project_id: id, what: z.string() }),
  },
});
