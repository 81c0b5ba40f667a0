import { defineFeature, type StopOptions } from '../../platform/feature.ts';
import { runChannels } from './channel.ts';
import { runRawRoutes } from './raw-routes.ts';
import { runRoutes } from './routes.ts';
import { beginJob, runnerOf, sweepRuns } from './service/runner.ts';

/** Runs have no rules of their own: what one may do with them is what one may do with their project. */
export const runsFeature = defineFeature({
  name: 'runs',
  policy: {},
  routes: { runs: runRoutes },
  channels: runChannels,
  rawRoutes: runRawRoutes,
  async start(ctx) {
    const runner = runnerOf(ctx);
    await runner.start();
    return (options: StopOptions) => runner.stop(options);
  },
  jobs: [beginJob],
  sweep: sweepRuns,
});
