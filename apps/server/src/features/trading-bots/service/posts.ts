import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, or } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { TargetProblem, Unconfirmed } from '../../../platform/outside/answers.ts';
import { callTelegram } from '../../../platform/outside/telegram.ts';
import { botPosts, type ChannelRow, type PostRow, tradingBotChannels } from '../table.ts';

/** Longer messages are refused. */
const longestText = 4_096;
const sendAttempts = 5;
/** Doubled each time. */
const firstWaitMs = 15_000;
/** Old news is no news: what could not be said within this is dropped, so that a channel does not get yesterday's trades. */
const staleMs = 6 * 3_600_000;
const keptMs = 30 * 24 * 3_600_000;

export interface News {
  /** Told once in each channel. */
  key: string;
  text: string;
}

export const channelsFor = (ctx: Context, types: ChannelRow['type'][]): Promise<ChannelRow[]> =>
  ctx.db
    .select()
    .from(tradingBotChannels)
    .where(and(tradingBotChannels.isEnabled, inArray(tradingBotChannels.type, types)));

/** Stored, and said by the one sender there is: whoever trades does not wait for Telegram. */
export async function addPosts(ctx: Context, write: Write, channels: ChannelRow[], { key, text }: News): Promise<void> {
  if (channels.length === 0) return;
  const added = await write.tx
    .insert(botPosts)
    .values(
      channels.map(({ id }) => ({
        ...{ id: newId(), channelId: id, key, state: 'queued' as const, createdAt: ctx.now() },
        text: text.slice(0, longestText),
      })),
    )
    .onConflictDoNothing()
    .returning({ id: botPosts.id });
  if (added.length > 0) await write.enqueue(sendJob, {}, { key: 'send' });
}

const isWaiting = inArray(botPosts.state, ['queued', 'sending']);

/** Says what waits, one after the other. There is one such job at a time on all servers. */
export const sendJob = defineJob({
  kind: 'trading_bots.send',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx, write, signal }) {
    while (!signal.aborted) {
      const post = await write((writing) => begin(ctx, writing));
      if (!post) return;
      const end = await say(ctx, post);
      await write((writing) => settle(ctx, writing, post, end));
    }
  },
});

/** The oldest, noted as being sent before anything leaves; as it was before. */
async function begin(ctx: Context, { tx }: Write): Promise<PostRow | undefined> {
  const [post] = await tx
    .select()
    .from(botPosts)
    .where(and(isWaiting, or(isNull(botPosts.retryAt), lte(botPosts.retryAt, ctx.now()))))
    .orderBy(asc(botPosts.createdAt), asc(botPosts.id))
    .limit(1);
  if (post?.state === 'queued')
    await tx
      .update(botPosts)
      .set({ state: 'sending', attempts: post.attempts + 1 })
      .where(eq(botPosts.id, post.id));
  return post;
}

type End = { state: 'sent' | 'unconfirmed' | 'failed'; reason: string | null } | { retry: number; reason: string };

async function say(ctx: Context, post: PostRow): Promise<End> {
  if (post.state === 'sending')
    return { state: 'unconfirmed', reason: 'The server stopped while it was sent. It is not sent again.' };
  if (ctx.now().getTime() - post.createdAt.getTime() > staleMs)
    return { state: 'failed', reason: post.reason ?? 'It was too old when its turn came.' };
  const [channel] = await ctx.db.select().from(tradingBotChannels).where(eq(tradingBotChannels.id, post.channelId));
  if (!channel) return { state: 'failed', reason: 'The channel was deleted.' };
  try {
    await callTelegram(ctx, 'sendMessage', {
      chat_id: channel.telegramChatId,
      text: post.text,
      link_preview_options: { is_disabled: true },
    });
    return { state: 'sent', reason: null };
  } catch (error) {
    if (error instanceof Unconfirmed) return { state: 'unconfirmed', reason: error.message };
    if (!(error instanceof TargetProblem)) throw error;
    const attempts = post.attempts + 1;
    if (error.retry === 'never' || attempts >= sendAttempts) return { state: 'failed', reason: error.message };
    return { retry: error.retry === 'soon' ? firstWaitMs * 2 ** (attempts - 1) : error.retry, reason: error.message };
  }
}

async function settle(ctx: Context, { tx, enqueue }: Write, post: PostRow, end: End): Promise<void> {
  const retryAt = 'retry' in end ? new Date(ctx.now().getTime() + end.retry) : null;
  await tx
    .update(botPosts)
    .set('retry' in end ? { state: 'queued', reason: end.reason, retryAt } : { ...end, endedAt: ctx.now() })
    .where(eq(botPosts.id, post.id));
  // The others do not wait for it.
  if (retryAt) await enqueue(sendJob, {}, { key: `send ${post.id} ${post.attempts}`, dueAt: retryAt });
}

/** Where one was left waiting as the sender ended. */
export async function resumeSending({ tx, enqueue }: Write): Promise<void> {
  const [waiting] = await tx.select({ id: botPosts.id }).from(botPosts).where(isWaiting).limit(1);
  if (waiting) await enqueue(sendJob, {}, { key: 'send' });
}

export async function dropOldPosts(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - keptMs);
  await ctx.write(({ tx }) =>
    tx.delete(botPosts).where(and(isNotNull(botPosts.endedAt), lt(botPosts.endedAt, before))),
  );
}
