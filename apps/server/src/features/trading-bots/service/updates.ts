import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { tradingBotChannels } from '../table.ts';
import { resultsText } from './news.ts';
import { addPosts, channelsFor, resumeSending } from './posts.ts';

const minuteMs = 60_000;

/** Every minute: channels whose interval is over get a digest. */
export const updatesJob = defineJob({
  kind: 'trading_bots.updates',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx, write }) {
    await write(resumeSending);
    const now = ctx.now();
    for (const channel of await channelsFor(ctx, ['all', 'trades', 'results', 'alarms'])) {
      const intervalMs = channel.periodicUpdatesInterval * minuteMs;
      // A minute's delay of the schedule must not become a minute's delay of every post.
      const since = channel.lastUpdateAt ?? channel.createdAt;
      if (!channel.periodicUpdatesEnabled || now.getTime() - since.getTime() < intervalMs) continue;
      const late = (now.getTime() - since.getTime()) % intervalMs;
      const at = new Date(now.getTime() - late);
      const text = await resultsText(ctx, 'Running strategies', since);
      await write(async (writing) => {
        if (text) await addPosts(ctx, writing, [channel], { key: `update ${at.toISOString()}`, text });
        await writing.tx
          .update(tradingBotChannels)
          .set({ lastUpdateAt: at })
          .where(eq(tradingBotChannels.id, channel.id));
      });
    }
  },
});

/** Once a day: what each published strategy made. */
export const dailyJob = defineJob({
  kind: 'trading_bots.daily',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx, write }) {
    const channels = await channelsFor(ctx, ['all', 'results']);
    if (channels.length === 0) return;
    const day = new Date(ctx.now().getTime() - 24 * 60 * minuteMs);
    const name = day.toISOString().slice(0, 10);
    const text = await resultsText(ctx, `Results of ${name}`, day);
    if (text) await write((writing) => addPosts(ctx, writing, channels, { key: `day ${name}`, text }));
  },
});
