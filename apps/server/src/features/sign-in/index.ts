import type { Feature } from '../../platform/feature.ts';
import { signInEvents } from './events.ts';
import { signInPolicy } from './policy.ts';
import { slackRoutes } from './slack.ts';
import { startSignIn } from './start.ts';
import { sweepSignIn } from './sweep.ts';

export { signInRoutes } from './routes.ts';

export const signInFeature: Feature = {
  name: 'sign-in',
  policy: signInPolicy,
  events: signInEvents,
  rawRoutes: slackRoutes,
  start: startSignIn,
  sweep: sweepSignIn,
};
