import { accountFeature } from './features/account/feature.ts';
import { adminFeature } from './features/admin/feature.ts';
import { aiFeature } from './features/ai/feature.ts';
import { analysisFeature } from './features/analysis/feature.ts';
import { artifactsFeature } from './features/artifacts/feature.ts';
import { commentsFeature } from './features/comments/feature.ts';
import { deliveriesFeature } from './features/deliveries/feature.ts';
import { filesFeature } from './features/files/feature.ts';
import { homeFeature } from './features/home/feature.ts';
import { notebookFeature } from './features/notebook/feature.ts';
import { peopleFeature } from './features/people/feature.ts';
import { portfoliosFeature } from './features/portfolios/feature.ts';
import { projectsFeature } from './features/projects/feature.ts';
import { publicationsFeature } from './features/publications/feature.ts';
import { quotaFeature } from './features/quota/feature.ts';
import { referralsFeature } from './features/referrals/feature.ts';
import { reportsFeature } from './features/reports/feature.ts';
import { schedulesFeature } from './features/schedules/feature.ts';
import { siteFeature } from './features/site/feature.ts';
import { strategiesFeature } from './features/strategies/feature.ts';
import { subscriptionsFeature } from './features/subscriptions/feature.ts';
import { teamsFeature } from './features/teams/feature.ts';
import { themeFeature } from './features/theme/feature.ts';
import { tradingFeature } from './features/trading/feature.ts';
import { usageFeature } from './features/usage/feature.ts';
import { walletFeature } from './features/wallet/feature.ts';
import { FeatureRegistry } from './platform/features/registry.ts';

/** Every feature that adds something to shared places, in the order in which the places show it. */
export const registry = new FeatureRegistry([
  homeFeature,
  projectsFeature,
  publicationsFeature,
  reportsFeature,
  notebookFeature,
  commentsFeature,
  filesFeature,
  artifactsFeature,
  analysisFeature,
  schedulesFeature,
  deliveriesFeature,
  peopleFeature,
  teamsFeature,
  portfoliosFeature,
  strategiesFeature,
  tradingFeature,
  quotaFeature,
  usageFeature,
  walletFeature,
  subscriptionsFeature,
  referralsFeature,
  accountFeature,
  aiFeature,
  adminFeature,
  themeFeature,
  siteFeature,
]);
