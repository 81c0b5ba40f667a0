import { defineFeature, type StopOptions } from '../../platform/feature.ts';
import { kernelEvents } from './events.ts';
import { kernelsPolicy } from './policy.ts';
import { kernelRoutes } from './routes.ts';
import { sweepPackages } from './service/folder/requirements.ts';
import { kernelSessionsOf } from './service/kernel-sessions.ts';
import { startSampling, sweepSamples } from './service/samples.ts';
import { sweepSessions } from './service/sessions/sweep-sessions.ts';

export { limitsOf } from './resources.ts';

export const kernelsFeature = defineFeature({
  name: 'kernels',
  policy: kernelsPolicy,
  routes: { kernels: kernelRoutes },
  events: kernelEvents,
  async start(ctx) {
    const sessions = kernelSessionsOf(ctx);
    await sessions.start();
    const stopSampling = startSampling(ctx);
    return (options: StopOptions) => {
      stopSampling();
      return sessions.stop(options);
    };
  },
  async sweep(ctx) {
    await sweepSessions(ctx);
    await sweepSamples(ctx);
    await sweepPackages(ctx);
  },
});
