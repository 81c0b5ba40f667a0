import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const usersDeclaration = declare({
  permissions: ['user.view', 'user.list', 'user.follow', 'user.invite'],
  events: {
    'user.updated': z.object({ user_id: id, fields: z.array(z.string()) }),
    'user.followed': z.object({ user_id: id, by_user_id: id }),
    'friend.invited': z.object({ user_id: id, email: z.string(), message: z.string(), referral_code: z.string() }),
  },
  entities: ['user'],
});
