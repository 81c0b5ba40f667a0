import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, empty, id, time } from '../fields.ts';
import { telegramChat } from './entity.ts';

const about = { permission: 'telegram.link', tag: 'Telegram', flag: 'publish', keyScope: 'never' } as const;

export const telegramEndpoints = {
  chats: endpoint('GET', '/v1/telegram_chats', { ...about, summary: 'Chats that you have linked' })
    .input(empty)
    .output(z.object({ has_bot: z.boolean(), entries: z.array(telegramChat) })),

  createCode: endpoint('POST', '/v1/telegram_chats/codes', {
    ...about,
    limit: 'mail',
    summary: 'Get a code that links a chat to you',
    description:
      'Post `/link CODE` in a chat with the bot, in a group that it is in, or as a post of a channel that it is an admin of.',
  })
    .input(empty)
    .output(z.object({ code: z.string(), expires_at: time, bot_name: z.string().nullable() })),

  unlink: endpoint('DELETE', '/v1/telegram_chats/{id}', {
    ...about,
    summary: 'Unlink a chat: nothing more is sent there for you',
  })
    .input(z.strictObject({ id }))
    .output(done),
};
