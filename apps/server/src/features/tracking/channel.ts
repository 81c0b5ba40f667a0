import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { storeEvents } from './service.ts';

export const trackingChannels = [
  channel({
    topic: topics.tracking,
    async authorize() {},
    commands: { track: async (ctx, { events }) => ({ stored: await storeEvents(ctx, events) }) },
  }),
  channel({ topic: topics.trackingLive, async authorize() {}, commands: {} }),
];
