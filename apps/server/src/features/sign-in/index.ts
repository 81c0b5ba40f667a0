import { defineFeature } from '../../platform/feature.ts';
import { signInEvents } from './events.ts';
import { signInPolicy } from './policy.ts';
import { signInRoutes } from './routes.ts';
import { slackRoutes } from './slack.ts';
import { startSignIn } from './start.ts';
import { sweepSignIn } from './sweep.ts';

export const signInFeature = defineFeature({
  name: 'sign-in',
  policy: signInPolicy,
  routes: { signIn: signInRoutes },
  events: signInEvents,
  rawRoutes: slackRoutes,
  start: startSignIn,
  sweep: sweepSignIn,
});
