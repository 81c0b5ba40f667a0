import { z } from 'zod';
import { id, time } from '../fields.ts';

export const telegramChatKinds = ['private', 'group', 'channel'] as const;

/** A chat in which a person has shown that they may post there. */
export const telegramChat = z.object({
  id,
  chat_id: z.string(),
  title: z.string(),
  kind: z.enum(telegramChatKinds),
  created_at: time,
});
export type TelegramChat = z.infer<typeof telegramChat>;
