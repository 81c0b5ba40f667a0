import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const adminDeclaration = declare({
  permissions: ['admin.view', 'admin.edit', 'admin.mask', 'admin.unmask'],
  events: {
    'admin.acted': z.object({ log_id: id, action: z.string(), subject_type: z.string(), subject_id: z.string() }),
    'user.suspended': z.object({ user_id: id }),
    'user.unsuspended': z.object({ user_id: id }),
    'user.deleted': z.object({ user_id: id }),
    'user.access_changed': z.object({ user_id: id }),
    'role.changed': z.object({
      role_id: id,
      user_ids: z.array(id).optional().describe('Who had it, of one that was deleted'),
    }),
    'flags.changed': z.object({ names: z.array(z.string()) }),
  },
});
