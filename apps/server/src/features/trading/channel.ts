import { topics } from '@atoll/contract';
import { notFound } from '../../platform/errors.ts';
import { channel } from '../../platform/realtime/channel.ts';

export const tradingChannels = [
  channel({
    topic: topics.trading,
    async authorize(ctx, { userId }) {
      if (ctx.actor.userId !== userId) throw notFound('This topic');
    },
    commands: {},
  }),
];
