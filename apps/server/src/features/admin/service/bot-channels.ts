import type { TradingBotChannel } from '@atoll/contract';
import { desc, eq, isNotNull, sql } from 'drizzle-orm';
import { changesOf } from '../../../platform/action-log/changes.ts';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { definedOf } from '../../../platform/defined.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { addPosts } from '../../trading-bots/service/posts.ts';
import { botPosts, type ChannelRow, tradingBotChannels } from '../../trading-bots/table.ts';

type Fields = Omit<TradingBotChannel, 'id' | 'created_at' | 'last_post_at' | 'problem'>;
const fieldsOf = (row: ChannelRow): Fields => ({
  type: row.type,
  title: row.title,
  telegram_chat_id: row.telegramChatId,
  is_enabled: row.isEnabled,
  periodic_updates_enabled: row.periodicUpdatesEnabled,
  periodic_updates_interval: row.periodicUpdatesInterval,
});
const columnsOf = (fields: Fields) => ({
  type: fields.type,
  title: fields.title,
  telegramChatId: fields.telegram_chat_id,
  isEnabled: fields.is_enabled,
  periodicUpdatesEnabled: fields.periodic_updates_enabled,
  periodicUpdatesInterval: fields.periodic_updates_interval,
});
const subject = (id: string) => ({ type: 'trading_bot_channel', id });

/** With what became of the last post there. */
async function viewAll(ctx: Context, rows: ChannelRow[]): Promise<TradingBotChannel[]> {
  const newest = await ctx.db
    .selectDistinctOn([botPosts.channelId])
    .from(botPosts)
    .where(isNotNull(botPosts.endedAt))
    .orderBy(botPosts.channelId, desc(botPosts.endedAt), desc(botPosts.id));
  return rows.map((row) => {
    const post = newest.find(({ channelId }) => channelId === row.id);
    return {
      id: row.id,
      ...fieldsOf(row),
      last_post_at: post?.endedAt?.toISOString() ?? null,
      problem: post?.reason ?? null,
      created_at: row.createdAt.toISOString(),
    };
  });
}
async function view(ctx: Context, row: ChannelRow): Promise<TradingBotChannel> {
  const [seen] = await viewAll(ctx, [row]);
  if (!seen) throw notFound('This channel');
  return seen;
}

export async function listChannels(ctx: Context) {
  const rows = await ctx.db
    .select()
    .from(tradingBotChannels)
    .orderBy(sql`lower(${tradingBotChannels.title})`, tradingBotChannels.id);
  return { entries: await viewAll(ctx, rows) };
}

export async function createChannel(ctx: Context, fields: Fields) {
  const row = await ctx.write(async (write) => {
    const [made] = await write.tx
      .insert(tradingBotChannels)
      .values({ ...columnsOf(fields), createdAt: ctx.now() })
      .returning();
    if (!made) throw new Error('The channel was not stored');
    const after = { ...fields };
    await recordAction(ctx, write, { action: 'trading_bot_channel.created', subject: subject(made.id), after });
    return made;
  });
  return view(ctx, row);
}

export async function updateChannel(ctx: Context, id: string, update: Partial<Fields>) {
  const row = await ctx.write(async (write) => {
    const [found] = await write.tx.select().from(tradingBotChannels).where(eq(tradingBotChannels.id, id)).for('update');
    if (!found) throw notFound('This channel');
    const before = fieldsOf(found);
    const fields: Fields = { ...before, ...definedOf(update) };
    const changes = changesOf({ ...before }, { ...fields });
    if (changes.isSame) return found;
    const [changed] = await write.tx
      .update(tradingBotChannels)
      .set(columnsOf(fields))
      .where(eq(tradingBotChannels.id, id))
      .returning();
    await recordAction(ctx, write, { action: 'trading_bot_channel.updated', subject: subject(id), ...changes });
    return changed ?? found;
  });
  return view(ctx, row);
}

export async function deleteChannel(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const [row] = await write.tx.delete(tradingBotChannels).where(eq(tradingBotChannels.id, id)).returning();
    if (!row) throw notFound('This channel');
    const before = { ...fieldsOf(row) };
    await recordAction(ctx, write, { action: 'trading_bot_channel.deleted', subject: subject(id), before });
  });
}

/** Whether the bot can post there is known when it has. */
export async function testChannel(ctx: Context, id: string) {
  const [row] = await ctx.db.select().from(tradingBotChannels).where(eq(tradingBotChannels.id, id));
  if (!row) throw notFound('This channel');
  if (!ctx.config.telegramBotToken)
    throw new AppError('conflict', 'This server has no Telegram bot. Set TELEGRAM_BOT_TOKEN.');
  const text = `This is a test of the channel “${row.title}”.`;
  await ctx.write((write) => addPosts(ctx, write, [row], { key: `test ${newId()}`, text }));
  return view(ctx, row);
}
