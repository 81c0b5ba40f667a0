import { done, endpoints } from '../../platform/http/implement.ts';
import { createCode, listChats, unlinkChat } from './service/chats.ts';

const { telegram } = endpoints;

export const telegramRoutes = {
  chats: telegram.chats.handler(async ({ context }) => ({
    has_bot: context.config.telegramBotToken !== null,
    entries: await listChats(context),
  })),
  createCode: telegram.createCode.handler(({ context }) => createCode(context)),
  unlink: telegram.unlink.handler(({ context, input }) => done(unlinkChat(context, input.id))),
};
