import { defineFeature } from '../../platform/feature.ts';
import { reportPages } from './pages.ts';
import { reportRawRoutes } from './raw-routes.ts';
import { reportRoutes } from './routes.ts';
import { hearProgress } from './service/progress.ts';

/** Reports have no rules of their own: who reads a publication prints it, who publishes it says how. */
export const reportsFeature = defineFeature({
  name: 'reports',
  policy: {},
  routes: { reports: reportRoutes },
  rawRoutes: reportRawRoutes,
  pages: reportPages,
  start: hearProgress,
});
