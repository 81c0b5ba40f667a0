import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const accountDeclaration = declare({
  permissions: [
    'account.view',
    'account.edit',
    'account.secure',
    'account.confirm',
    'preferences.view',
    'preferences.edit',
    'api_key.list',
    'api_key.create',
    'api_key.revoke',
  ],
  events: {
    'api_key.created': z.object({ user_id: id, api_key_id: id }),
    'api_key.revoked': z.object({ user_id: id, api_key_id: id }),
  },
});
