import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { publicRun, tradeText } from './service/news.ts';
import { addPosts, channelsFor } from './service/posts.ts';

async function postTrade(ctx: Context, orderId: string): Promise<void> {
  const channels = await channelsFor(ctx, ['all', 'trades']);
  const trade = channels.length > 0 ? await tradeText(ctx, orderId) : null;
  if (trade) await ctx.write((write) => addPosts(ctx, write, channels, { key: `trade ${orderId}`, ...trade }));
}

/** Published strategies at work: their trades, and what went wrong. */
export const tradingBotsEvents: EventHandlers = {
  'order.changed': async (ctx, { order_id, state, source = 'strategy' }) => {
    if (source === 'strategy' && state !== 'formed' && state !== 'open' && state !== 'rejected')
      await postTrade(ctx, order_id);
  },
  // One that was filled at once had changed before it was known whose it is.
  'strategy.ordered': async (ctx, { order_id }) => postTrade(ctx, order_id),
  'strategy.run_changed': async (ctx, { run_id, state }) => {
    if (state !== 'failed' && state !== 'paused') return;
    const channels = await channelsFor(ctx, ['all', 'alarms']);
    const found = channels.length > 0 ? await publicRun(ctx, run_id) : null;
    // One that its owner paused has no reason, and is no alarm.
    if (!found?.run.reason || found.run.state !== state) return;
    const what = state === 'failed' ? 'has stopped' : 'is paused';
    // Reasons can name amounts and lines of code: those are its owner's to see.
    const text = `Alarm: ${found.title} ${what}.\n${found.url}`;
    await ctx.write((write) =>
      addPosts(ctx, write, channels, { key: `alarm ${run_id} ${state} ${found.run.lastBar}`, text }),
    );
  },
};
