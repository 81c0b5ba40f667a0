import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

const about = { user_id: id, chat_id: z.string() };

export const telegramDeclaration = declare({
  permissions: ['telegram.link'],
  events: {
    'telegram.chat_linked': z.object(about),
    'telegram.chat_unlinked': z.object(about),
  },
});
