import { eq } from 'drizzle-orm';
import { changesOf } from '../../../platform/action-log/changes.ts';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { tradingBotChannels } from '../table.ts';

type Row = typeof tradingBotChannels.$inferSelect;
interface Fields {
  name: string;
  description: string;
  chat_id: string;
  is_enabled: boolean;
}
const fieldsOf = ({ name, description, chatId, isEnabled }: Row): Fields => ({
  name,
  description,
  chat_id: chatId,
  is_enabled: isEnabled,
});
const view = (row: Row) => ({ id: row.id, ...fieldsOf(row), created_at: row.createdAt.toISOString() });
const subject = (id: string) => ({ type: 'trading_bot_channel', id });
const columns = ({ chat_id, is_enabled, ...fields }: Fields) => ({ ...fields, chatId: chat_id, isEnabled: is_enabled });

export async function listChannels(ctx: Context) {
  const rows = await ctx.db.select().from(tradingBotChannels).orderBy(tradingBotChannels.name, tradingBotChannels.id);
  return { entries: rows.map(view) };
}

export async function createChannel(ctx: Context, fields: Fields) {
  return ctx.write(async (write) => {
    const [row] = await write.tx
      .insert(tradingBotChannels)
      .values({ ...columns(fields), createdAt: ctx.now() })
      .returning();
    if (!row) throw new Error('The channel was not stored');
    const after = { ...fields };
    await recordAction(ctx, write, { action: 'trading_bot_channel.created', subject: subject(row.id), after });
    return view(row);
  });
}

export async function updateChannel(
  ctx: Context,
  id: string,
  update: { [Name in keyof Fields]?: Fields[Name] | undefined },
) {
  return ctx.write(async (write) => {
    const [row] = await write.tx.select().from(tradingBotChannels).where(eq(tradingBotChannels.id, id)).for('update');
    if (!row) throw notFound('This channel');
    const before = fieldsOf(row);
    const fields = {
      name: update.name ?? before.name,
      description: update.description ?? before.description,
      chat_id: update.chat_id ?? before.chat_id,
      is_enabled: update.is_enabled ?? before.is_enabled,
    };
    const changes = changesOf({ ...before }, { ...fields });
    if (changes.isSame) return view(row);
    const [changed] = await write.tx
      .update(tradingBotChannels)
      .set(columns(fields))
      .where(eq(tradingBotChannels.id, id))
      .returning();
    await recordAction(ctx, write, { action: 'trading_bot_channel.updated', subject: subject(id), ...changes });
    return view(changed ?? row);
  });
}

export async function deleteChannel(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const [row] = await write.tx.delete(tradingBotChannels).where(eq(tradingBotChannels.id, id)).returning();
    if (!row) throw notFound('This channel');
    const before = { ...fieldsOf(row) };
    await recordAction(ctx, write, { action: 'trading_bot_channel.deleted', subject: subject(id), before });
  });
}
