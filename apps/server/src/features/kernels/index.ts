import { defineFeature } from '../../platform/feature.ts';
import { kernelEvents } from './events.ts';
import { kernelsPolicy } from './policy.ts';
import { kernelRoutes } from './routes.ts';
import { keeperOf } from './service/keeper.ts';
import { sweepPackages } from './service/requirements.ts';
import { sweepSessions } from './service/sweep-sessions.ts';

export { limitsOf } from './resources.ts';

export const kernelsFeature = defineFeature({
  name: 'kernels',
  policy: kernelsPolicy,
  routes: { kernels: kernelRoutes },
  events: kernelEvents,
  async start(ctx) {
    const keeper = keeperOf(ctx);
    await keeper.start();
    return () => keeper.stop();
  },
  async sweep(ctx) {
    await sweepSessions(ctx);
    await sweepPackages(ctx);
  },
});
