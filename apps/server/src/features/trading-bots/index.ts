import { defineFeature } from '../../platform/feature.ts';
import { tradingBotsEvents } from './events.ts';
import { commandsJob } from './service/commands.ts';
import { dropOldPosts, sendJob } from './service/posts.ts';
import { dailyJob, updatesJob } from './service/updates.ts';

/** What published strategies do, told in Telegram, and commands from there. */
export const tradingBotsFeature = defineFeature({
  name: 'trading-bots',
  policy: {},
  events: tradingBotsEvents,
  jobs: [sendJob, updatesJob, dailyJob, commandsJob],
  schedules: {
    'trading_bots.updates': { cron: '* * * * *', job: updatesJob, payload: {} },
    'trading_bots.daily': { cron: '5 0 * * *', job: dailyJob, payload: {} },
    'trading_bots.commands': { cron: '* * * * *', job: commandsJob, payload: {}, isRunAtStart: true },
  },
  sweep: dropOldPosts,
});
