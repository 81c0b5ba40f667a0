/**
 * The contract: every endpoint, entity, permission, flag and error code of the product, declared once.
 * The server binds it, the browser's client and the OpenAPI document are made from it. It knows zod and nothing else.
 */
import type { z } from 'zod';
import { accountContract } from './account/contract.ts';
import { adminContract } from './admin/contract.ts';
import { aiContract } from './ai/contract.ts';
import { analysisContract } from './analysis/contract.ts';
import { artifactsContract } from './artifacts/contract.ts';
import { collaborationContract } from './collaboration/contract.ts';
import { commentsContract } from './comments/contract.ts';
import { joinEndpoints, joinRawEndpoints, joinTopics } from './define-contract.ts';
import { deliveriesContract } from './deliveries/contract.ts';
import { embedsContract } from './embeds/contract.ts';
import { filesContract } from './files/contract.ts';
import { kernelsContract } from './kernels/contract.ts';
import { mailContract } from './mail/contract.ts';
import { notebookContract } from './notebook/contract.ts';
import { notificationsContract } from './notifications/contract.ts';
import { paymentsContract } from './payments/contract.ts';
import { portfoliosContract } from './portfolios/contract.ts';
import { projectsContract } from './projects/contract.ts';
import { publicationsContract } from './publications/contract.ts';
import { quotaContract } from './quota/contract.ts';
import { referralsContract } from './referrals/contract.ts';
import { reportsContract } from './reports/contract.ts';
import { runsContract } from './runs/contract.ts';
import { schedulesContract } from './schedules/contract.ts';
import { secretsContract } from './secrets/contract.ts';
import { sessionContract } from './session/contract.ts';
import { sharingContract } from './sharing/contract.ts';
import { signInContract } from './sign-in/contract.ts';
import { siteContract } from './site/contract.ts';
import { strategiesContract } from './strategies/contract.ts';
import { subscriptionsContract } from './subscriptions/contract.ts';
import { systemContract } from './system/contract.ts';
import { teamsContract } from './teams/contract.ts';
import { telegramContract } from './telegram/contract.ts';
import { themeContract } from './theme/contract.ts';
import { trackingContract } from './tracking/contract.ts';
import { tradingContract } from './trading/contract.ts';
import { uploadsContract } from './uploads/contract.ts';
import { usersContract } from './users/contract.ts';
import { walletContract } from './wallet/contract.ts';

export const apiPrefix = '/api/atoll';

/** Every feature's part. The keys are the groups of the client: `client.teams.list()`. */
const features = {
  theme: themeContract,
  system: systemContract,
  session: sessionContract,
  signIn: signInContract,
  account: accountContract,
  uploads: uploadsContract,
  projects: projectsContract,
  files: filesContract,
  sharing: sharingContract,
  comments: commentsContract,
  teams: teamsContract,
  notifications: notificationsContract,
  mail: mailContract,
  users: usersContract,
  secrets: secretsContract,
  kernels: kernelsContract,
  ai: aiContract,
  notebooks: notebookContract,
  runs: runsContract,
  quota: quotaContract,
  site: siteContract,
  publications: publicationsContract,
  reports: reportsContract,
  embeds: embedsContract,
  artifacts: artifactsContract,
  analysis: analysisContract,
  schedules: schedulesContract,
  deliveries: deliveriesContract,
  telegram: telegramContract,
  collaboration: collaborationContract,
  tracking: trackingContract,
  wallet: walletContract,
  trading: tradingContract,
  portfolios: portfoliosContract,
  strategies: strategiesContract,
  payments: paymentsContract,
  referrals: referralsContract,
  subscriptions: subscriptionsContract,
  admin: adminContract,
};

export const contract = joinEndpoints(features);
export type Contract = typeof contract;
type SchemaOf<Endpoint> = Endpoint extends { '~orpc': { inputSchema?: infer Schema extends z.ZodType } }
  ? Schema
  : never;
/** What an endpoint is called with: checked, and with its defaults. */
export type EndpointInput<Group extends keyof Contract, Name extends keyof Contract[Group]> = z.output<
  SchemaOf<Contract[Group][Name]>
>;
/** Of that, what is not in the address. */
export type EndpointFields<Group extends keyof Contract, Name extends keyof Contract[Group]> = Omit<
  EndpointInput<Group, Name>,
  'id' | `${string}Id`
>;
export const rawContract = joinRawEndpoints(features);
/** Every realtime topic; the socket is at `/socket` below the prefix. */
export const topics = joinTopics(features);

export * from './account/entity.ts';
export * from './account/scopes.ts';
export * from './activity.ts';
export {
  actionLogFilter,
  adminUserFilter,
  type CsvList,
  csvLists,
  jobFilter,
  subscriptionFilter,
  usageFilter,
} from './admin/endpoints.ts';
export * from './admin/entity.ts';
export type { AiPart } from './ai/endpoints.ts';
export * from './ai/entity.ts';
export * from './ai/values.ts';
export type { AnalyticsCounts, RelatedProject } from './analysis/endpoints.ts';
export type { Artifact } from './artifacts/endpoints.ts';
export type { LobbyMeta, LockHolder } from './collaboration/channel.ts';
export * from './comments/entity.ts';
export * from './comments/rights.ts';
export * from './declarations.ts';
export * from './deliveries/entity.ts';
export * from './embeds/address.ts';
export * from './embeds/entity.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './features.ts';
export { isTimeZone, type Paging, type ThemeMode } from './fields.ts';
export * from './files/data.ts';
export * from './files/entity.ts';
export * from './files/paths.ts';
export * from './files/tables.ts';
export * from './jobs/entity.ts';
export * from './kernels/entity.ts';
export { type DocumentChange, notebookCommands, type PublishedCell, type PublishedChange } from './notebook/channel.ts';
export * from './notebook/entity.ts';
export * from './notebook/operations.ts';
export * from './notifications/declared.ts';
export * from './notifications/entity.ts';
export * from './notifications/metadata.ts';
export * from './notifications/words.ts';
export * from './payments/entity.ts';
export * from './plans.ts';
export * from './platforms.ts';
export * from './portfolios/entity.ts';
export * from './projects/access.ts';
export type { ProjectListQuery } from './projects/endpoints.ts';
export * from './projects/entity.ts';
export * from './projects/kinds.ts';
export type { PublicationFilters, PublicationListQuery } from './publications/endpoints.ts';
export * from './publications/entity.ts';
export * from './publications/slug.ts';
export * from './quota/entity.ts';
export * from './quota/words.ts';
export * from './referrals/entity.ts';
export * from './reports/entity.ts';
export * from './reports/formats.ts';
export * from './requests.ts';
export * from './runs/entity.ts';
export * from './schedules/entity.ts';
export type { Secret } from './secrets/endpoints.ts';
export * from './session/endpoints.ts';
export * from './session/entity.ts';
export type { AccessRequest, ProjectInvite, TeamPermission, UserPermission } from './sharing/endpoints.ts';
export * from './sign-in/endpoints.ts';
export type { Tip } from './site/endpoints.ts';
export * from './strategies/entity.ts';
export * from './strategies/runs.ts';
export * from './subscriptions/entity.ts';
export * from './system/endpoints.ts';
export * from './teams/access.ts';
export type { TeamListQuery } from './teams/endpoints.ts';
export * from './teams/entity.ts';
export * from './telegram/entity.ts';
export * from './theme/entity.ts';
export * from './topic.ts';
export { transactionFilter } from './trading/endpoints.ts';
export * from './trading/entity.ts';
export * from './uploads/kinds.ts';
export * from './users/entity.ts';
export { walletFilter } from './wallet/endpoints.ts';
export * from './wallet/entity.ts';
