/**
 * The contract: every endpoint, entity, permission, flag and error code of the product, declared once.
 * The server binds it, the browser's client and the OpenAPI document are made from it. It knows zod and nothing else.
 */
import { accountEndpoints } from './account/endpoints.ts';
import { collaboratorLobbyTopic, lockTopic } from './collaboration/channel.ts';
import { commentsTopic, fileCommentsTopic } from './comments/channel.ts';
import { commentEndpoints } from './comments/endpoints.ts';
import { fileTopic, projectFilesTopic } from './files/channel.ts';
import { fileEndpoints, fileRawEndpoints } from './files/endpoints.ts';
import { kernelEndpoints } from './kernels/endpoints.ts';
import { mailEndpoints, mailRawEndpoints } from './mail/endpoints.ts';
import { embeddedCellTopic, notebookTopic } from './notebook/channel.ts';
import { notebookEndpoints, notebookRawEndpoints } from './notebook/endpoints.ts';
import { notificationsTopic } from './notifications/channel.ts';
import { notificationEndpoints } from './notifications/endpoints.ts';
import { projectEndpoints } from './projects/endpoints.ts';
import { quotaEndpoints } from './quota/endpoints.ts';
import { runTopic } from './runs/channel.ts';
import { runEndpoints, runRawEndpoints } from './runs/endpoints.ts';
import { secretEndpoints } from './secrets/endpoints.ts';
import { sessionEndpoints } from './session/endpoints.ts';
import { sharingEndpoints } from './sharing/endpoints.ts';
import { signInEndpoints, signInRawEndpoints } from './sign-in/endpoints.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { systemEndpoints, systemRawEndpoints } from './system/endpoints.ts';
import { teamEndpoints } from './teams/endpoints.ts';
import { themeEndpoints } from './theme/endpoints.ts';
import { trackingTopic } from './tracking/channel.ts';
import { uploadEndpoints, uploadRawEndpoints } from './uploads/endpoints.ts';
import { userEndpoints } from './users/endpoints.ts';

export const apiPrefix = '/api/atoll';

export const contract = {
  theme: themeEndpoints,
  system: systemEndpoints,
  session: sessionEndpoints,
  signIn: signInEndpoints,
  account: accountEndpoints,
  uploads: uploadEndpoints,
  projects: projectEndpoints,
  files: fileEndpoints,
  sharing: sharingEndpoints,
  comments: commentEndpoints,
  teams: teamEndpoints,
  notifications: notificationEndpoints,
  mail: mailEndpoints,
  users: userEndpoints,
  secrets: secretEndpoints,
  kernels: kernelEndpoints,
  notebooks: notebookEndpoints,
  runs: runEndpoints,
  quota: quotaEndpoints,
  site: siteEndpoints,
};
export type Contract = typeof contract;

export const rawContract = {
  system: systemRawEndpoints,
  uploads: uploadRawEndpoints,
  files: fileRawEndpoints,
  notebooks: notebookRawEndpoints,
  runs: runRawEndpoints,
  mail: mailRawEndpoints,
  signIn: signInRawEndpoints,
};

/** Every realtime topic; the socket is at `/socket` below the prefix. */
export const topics = {
  projectFiles: projectFilesTopic,
  file: fileTopic,
  lock: lockTopic,
  collaboratorLobby: collaboratorLobbyTopic,
  notifications: notificationsTopic,
  comments: commentsTopic,
  fileComments: fileCommentsTopic,
  run: runTopic,
  notebook: notebookTopic,
  embeddedCell: embeddedCellTopic,
  tracking: trackingTopic,
};

export * from './account/entity.ts';
export * from './activity.ts';
export type { LobbyMeta, LockHolder } from './collaboration/channel.ts';
export * from './comments/entity.ts';
export * from './comments/rights.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './features.ts';
export { type ThemeMode, themeMode } from './fields.ts';
export * from './files/data.ts';
export * from './files/entity.ts';
export * from './files/paths.ts';
export * from './files/tables.ts';
export * from './jobs.ts';
export * from './kernels/entity.ts';
export type { DocumentChange, PublishedCell, PublishedChange } from './notebook/channel.ts';
export * from './notebook/entity.ts';
export * from './notebook/operations.ts';
export * from './notifications/entity.ts';
export * from './notifications/words.ts';
export * from './permissions.ts';
export * from './plans.ts';
export * from './platforms.ts';
export * from './projects/access.ts';
export { type ProjectListQuery, projectModes, projectSorts } from './projects/endpoints.ts';
export * from './projects/entity.ts';
export * from './projects/kinds.ts';
export * from './quota/entity.ts';
export * from './quota/words.ts';
export * from './requests.ts';
export * from './runs/entity.ts';
export type { Secret } from './secrets/endpoints.ts';
export * from './session/endpoints.ts';
export * from './session/entity.ts';
export type { AccessRequest, ProjectInvite, TeamPermission, UserPermission } from './sharing/endpoints.ts';
export * from './sign-in/endpoints.ts';
export type { Tip } from './site/endpoints.ts';
export * from './system/endpoints.ts';
export * from './teams/access.ts';
export type { TeamListQuery } from './teams/endpoints.ts';
export * from './teams/entity.ts';
export * from './theme/entity.ts';
export * from './topic.ts';
export * from './uploads/kinds.ts';
export * from './users/entity.ts';
