import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { requireStrategy } from './service/document.ts';

export const strategiesChannels = [
  channel({
    topic: topics.strategy,
    async authorize(ctx, { strategyId }) {
      await requireStrategy(ctx, strategyId, 'strategy.view');
    },
    commands: {},
  }),
];
