import { randomBytes } from 'node:crypto';
import type { TelegramChat } from '@atoll/contract';
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { JobKind } from '../../../platform/jobs/enqueue.ts';
import { callTelegram } from '../../../platform/outside/telegram.ts';
import { rememberOneTime, useOneTimeToken } from '../../sign-in/service/one-time.ts';
import { identities, oneTimeTokens } from '../../sign-in/table.ts';
import { findUser } from '../../users/service.ts';
import { type TelegramChatRow, telegramChats } from '../table.ts';

type Reader = Database | Transaction;

/** Reads what is written to the bot; carried out by trading bots, which have commands there too. */
export const updatesKind: JobKind<Record<string, never>> = {
  kind: 'trading_bots.commands',
  payload: z.object({}) as z.ZodType<Record<string, never>>,
};

const view = ({ id, chatId, title, kind, createdAt }: TelegramChatRow): TelegramChat => ({
  ...{ id, chat_id: chatId, title, kind },
  created_at: createdAt.toISOString(),
});

export async function listChats(ctx: Context): Promise<TelegramChat[]> {
  const rows = await ctx.db
    .select()
    .from(telegramChats)
    .where(eq(telegramChats.userId, ctx.userId))
    .orderBy(asc(sql`lower(${telegramChats.title})`), asc(telegramChats.id));
  return rows.map(view);
}

const botNames = appState(() => new Map<'name', string>());

/** People have to find the bot before they can write to it; without an answer they are told of "the bot". */
async function nameOfBot(ctx: Context): Promise<string | null> {
  const known = botNames(ctx).get('name');
  if (known) return known;
  const answer = await callTelegram(ctx, 'getMe', {}, { timeMs: 5_000 }).catch(() => null);
  const bot = z.object({ username: z.string() }).safeParse(answer);
  if (!bot.success) return null;
  botNames(ctx).set('name', bot.data.username);
  return bot.data.username;
}

const codeLifeMs = 30 * 60_000;

export async function createCode(ctx: Context) {
  if (!ctx.config.telegramBotToken) throw new AppError('conflict', 'This server has no Telegram bot.');
  // Short enough for a link that opens the bot, and not to be guessed.
  const code = randomBytes(12).toString('base64url');
  await ctx.write(async (write) => {
    await rememberOneTime(ctx, write, code, { purpose: 'telegram_chat', userId: ctx.userId, lifeMs: codeLifeMs });
    await write.enqueue(updatesKind, {}, { key: newId() });
  });
  const expiresAt = new Date(ctx.now().getTime() + codeLifeMs);
  return { code, expires_at: expiresAt.toISOString(), bot_name: await nameOfBot(ctx) };
}

/** Whether there may be something to read in the bot's chats. */
export async function expectsUpdates(ctx: Context): Promise<boolean> {
  const isOpen = and(
    eq(oneTimeTokens.purpose, 'telegram_chat'),
    isNull(oneTimeTokens.usedAt),
    gt(oneTimeTokens.expiresAt, ctx.now()),
  );
  const [code] = await ctx.db.select({ id: oneTimeTokens.id }).from(oneTimeTokens).where(isOpen).limit(1);
  if (code) return true;
  const [chat] = await ctx.db.select({ id: telegramChats.id }).from(telegramChats).limit(1);
  return chat !== undefined;
}

/** Where a command was written: that it is there is the proof. */
export interface CommandChat {
  id: number;
  type: string;
  title?: string | undefined;
  username?: string | undefined;
}

const kindOf = ({ type }: CommandChat): TelegramChat['kind'] =>
  type === 'private' || type === 'channel' ? type : 'group';

/** Links the chat to the person whose code was posted in it; answers what the bot says there. */
export const linkChat = (ctx: Context, code: string, chat: CommandChat): Promise<string> =>
  ctx.write(async (write) => {
    const token = await useOneTimeToken(ctx, write, 'telegram_chat', code);
    const user = token?.userId ? await findUser(write.tx, token.userId) : null;
    if (!user || user.suspendedAt || user.deletedAt) return 'This code is not valid any more. Get a new one.';
    const chatId = String(chat.id);
    const title = chat.title ?? (chat.username ? `@${chat.username}` : 'Private chat');
    const kind = kindOf(chat);
    const values = { title: title.slice(0, 200), kind };
    await write.tx
      .insert(telegramChats)
      .values({ ...values, userId: user.id, chatId, createdAt: ctx.now() })
      .onConflictDoUpdate({ target: [telegramChats.userId, telegramChats.chatId], set: values });
    await write.emit('telegram.chat_linked', { user_id: user.id, chat_id: chatId });
    return `Linked to the account ${user.userName} of ${ctx.config.url}: its reports can be sent here. /unlink ends this.`;
  });

/** From within the chat, for all who have linked it. */
export const unlinkFromWithin = (ctx: Context, { id }: CommandChat): Promise<string> =>
  ctx.write(async (write) => {
    const chatId = String(id);
    const gone = await write.tx.delete(telegramChats).where(eq(telegramChats.chatId, chatId)).returning();
    for (const { userId } of gone) await write.emit('telegram.chat_unlinked', { user_id: userId, chat_id: chatId });
    return gone.length > 0 ? 'Unlinked. No more reports are sent here.' : 'This chat is not linked.';
  });

export const unlinkChat = (ctx: Context, id: string): Promise<void> =>
  ctx.write(async (write) => {
    const isOwn = and(eq(telegramChats.id, id), eq(telegramChats.userId, ctx.userId));
    const [row] = await write.tx.delete(telegramChats).where(isOwn).returning();
    if (!row) throw notFound('This chat');
    await write.emit('telegram.chat_unlinked', { user_id: row.userId, chat_id: row.chatId });
  });

/** Linked by its code, or the person's own: who signs in with Telegram has shown that the private chat is theirs. */
export async function isLinked(db: Reader, userId: string, chatId: string): Promise<boolean> {
  const [linked] = await db
    .select({ id: telegramChats.id })
    .from(telegramChats)
    .where(and(eq(telegramChats.userId, userId), eq(telegramChats.chatId, chatId)));
  if (linked) return true;
  const isOwn = and(eq(identities.userId, userId), eq(identities.provider, 'telegram'), eq(identities.subject, chatId));
  const [own] = await db.select({ id: identities.id }).from(identities).where(isOwn);
  return own !== undefined;
}
