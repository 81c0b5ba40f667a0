import { defineFeature } from '../../platform/feature.ts';
import { assistantChannel, assistantCommands } from './channel.ts';
import { aiPolicy } from './policy.ts';
import { aiRoutes } from './routes.ts';
import { rotateKeys } from './service/provider-keys.ts';
import { runnerOf } from './service/runner.ts';

export const aiFeature = defineFeature({
  name: 'ai',
  policy: aiPolicy,
  routes: { ai: aiRoutes },
  channels: [assistantChannel],
  addedCommands: [assistantCommands],
  async start(ctx) {
    await rotateKeys(ctx);
    const runner = runnerOf(ctx);
    await runner.start();
    return () => runner.stop();
  },
});
