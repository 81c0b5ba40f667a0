import { defineFeature } from '../../platform/feature.ts';
import { walletBroadcasts } from './events.ts';
import { walletPolicy } from './policy.ts';
import { walletRawRoutes } from './raw-routes.ts';
import { walletRoutes } from './routes.ts';
import { proofJob, proofSchedule } from './service/proof.ts';
import { reservationsJob, reservationsSchedule } from './service/reservations.ts';

export const walletFeature = defineFeature({
  name: 'wallet',
  policy: walletPolicy,
  routes: { wallet: walletRoutes },
  rawRoutes: walletRawRoutes,
  broadcasts: walletBroadcasts,
  jobs: [proofJob, reservationsJob],
  schedules: { 'wallet.proof': proofSchedule, 'wallet.release_reservations': reservationsSchedule },
});
