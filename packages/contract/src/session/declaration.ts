import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const sessionDeclaration = declare({
  permissions: ['session.view', 'session.open', 'session.close', 'session.list', 'session.end', 'session.connect'],
  events: {
    'session.opened': z.object({ session_id: id, user_id: id, method: z.string() }),
    'session.ended': z.object({ session_id: id, user_id: id, reason: z.string() }),
  },
});
