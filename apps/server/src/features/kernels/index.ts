import type { Feature } from '../../platform/feature.ts';
import { kernelEvents } from './events.ts';
import { kernelsPolicy } from './policy.ts';
import { keeperOf } from './service/keeper.ts';
import { sweepPackages } from './service/requirements.ts';
import { sweepSessions } from './service/sweep-sessions.ts';

export { limitsOf } from './resources.ts';
export { kernelRoutes } from './routes.ts';

export const kernelsFeature: Feature = {
  name: 'kernels',
  policy: kernelsPolicy,
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
};
