import { joinRoutes } from '../platform/feature.ts';
import { endpoints } from '../platform/http/implement.ts';
import { accountFeature } from './account/index.ts';
import { adminFeature } from './admin/index.ts';
import { aiFeature } from './ai/index.ts';
import { analysisFeature } from './analysis/index.ts';
import { apiKeysFeature } from './api-keys/index.ts';
import { artifactsFeature } from './artifacts/index.ts';
import { collaborationFeature } from './collaboration/index.ts';
import { commentsFeature } from './comments/index.ts';
import { deliveriesFeature } from './deliveries/index.ts';
import { embedsFeature } from './embeds/index.ts';
import { filesFeature } from './files/index.ts';
import { kernelsFeature } from './kernels/index.ts';
import { mailFeature } from './mail/index.ts';
import { meFeature } from './me/index.ts';
import { notebooksFeature } from './notebooks/index.ts';
import { notificationsFeature } from './notifications/index.ts';
import { paymentsFeature } from './payments/index.ts';
import { plansFeature } from './plans/index.ts';
import { portfoliosFeature } from './portfolios/index.ts';
import { projectsFeature } from './projects/index.ts';
import { publicationsFeature } from './publications/index.ts';
import { quotaFeature } from './quota/index.ts';
import { referralsFeature } from './referrals/index.ts';
import { reportsFeature } from './reports/index.ts';
import { runsFeature } from './runs/index.ts';
import { schedulesFeature } from './schedules/index.ts';
import { secretsFeature } from './secrets/index.ts';
import { sessionsFeature } from './sessions/index.ts';
import { sharingFeature } from './sharing/index.ts';
import { signInFeature } from './sign-in/index.ts';
import { siteFeature } from './site/index.ts';
import { strategiesFeature } from './strategies/index.ts';
import { subscriptionsFeature } from './subscriptions/index.ts';
import { systemFeature } from './system/index.ts';
import { teamsFeature } from './teams/index.ts';
import { telegramFeature } from './telegram/index.ts';
import { themeFeature } from './theme/index.ts';
import { trackingFeature } from './tracking/index.ts';
import { tradingFeature } from './trading/index.ts';
import { tradingBotsFeature } from './trading-bots/index.ts';
import { uploadsFeature } from './uploads/index.ts';
import { usersFeature } from './users/index.ts';
import { walletFeature } from './wallet/index.ts';

/** Every feature, in boot order. */
export const features = [
  systemFeature,
  themeFeature,
  plansFeature,
  mailFeature,
  usersFeature,
  sessionsFeature,
  meFeature,
  signInFeature,
  apiKeysFeature,
  telegramFeature,
  accountFeature,
  uploadsFeature,
  projectsFeature,
  filesFeature,
  sharingFeature,
  teamsFeature,
  commentsFeature,
  secretsFeature,
  kernelsFeature,
  runsFeature,
  notebooksFeature,
  quotaFeature,
  walletFeature,
  paymentsFeature,
  subscriptionsFeature,
  referralsFeature,
  tradingFeature,
  portfoliosFeature,
  strategiesFeature,
  tradingBotsFeature,
  adminFeature,
  collaborationFeature,
  notificationsFeature,
  trackingFeature,
  siteFeature,
  publicationsFeature,
  reportsFeature,
  embedsFeature,
  artifactsFeature,
  analysisFeature,
  deliveriesFeature,
  schedulesFeature,
  aiFeature,
] as const;

/** Does not compile while an endpoint of the contract is missing. */
export const router = endpoints.router(joinRoutes(features));
