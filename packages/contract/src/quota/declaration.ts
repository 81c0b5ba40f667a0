import { z } from 'zod';
import { declare } from '../declaration.ts';
import { quota } from './entity.ts';

export const quotaDeclaration = declare({
  permissions: ['quota.view', 'execution_time.view', 'execution_time.buy'],
  personEvents: {
    quota_changed: z.object({ quota }).describe('Your execution time was reserved, used or given back'),
  },
});
