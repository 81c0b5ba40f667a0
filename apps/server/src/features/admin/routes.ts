import { endpoints, ok } from '../../platform/http/implement.ts';
import { listActions } from './service/action-logs.ts';
import { createChannel, deleteChannel, listChannels, updateChannel } from './service/bot-channels.ts';
import { deleteUser } from './service/delete-user.ts';
import { listFeatures, updateFeature } from './service/features.ts';
import { cancel, listJobs, retry } from './service/jobs.ts';
import { runningKernels, usages } from './service/kernels.ts';
import { listUsers } from './service/list-users.ts';
import { mask, unmask } from './service/mask.ts';
import { overviewOf } from './service/overview.ts';
import { createRole, deleteRole, listRoles, updateRole } from './service/roles.ts';
import { listSubscriptions } from './service/subscriptions.ts';
import { trackedActivity } from './service/tracking.ts';
import { userDetail } from './service/user-detail.ts';
import {
  createAccount,
  endSessionsOf,
  givePlan,
  setAccess,
  setRoles,
  suspendUser,
  unsuspendUser,
  updateAccount,
} from './service/users.ts';

const { admin } = endpoints;

export const adminRoutes = {
  overview: admin.overview.handler(({ context }) => overviewOf(context)),

  users: admin.users.handler(({ context, input }) => listUsers(context, input)),
  createUser: admin.createUser.handler(({ context, input }) => createAccount(context, input)),
  user: admin.user.handler(({ context, input }) => userDetail(context, input.id)),
  updateUser: admin.updateUser.handler(({ context, input: { id, ...update } }) => updateAccount(context, id, update)),
  deleteUser: admin.deleteUser.handler(async ({ context, input }) => {
    await deleteUser(context, input);
    return ok;
  }),
  setRoles: admin.setRoles.handler(({ context, input }) => setRoles(context, input.id, input.role_ids)),
  setAccess: admin.setAccess.handler(({ context, input }) => setAccess(context, input)),
  setSubscription: admin.setSubscription.handler(({ context, input }) => givePlan(context, input)),
  endSessions: admin.endSessions.handler(({ context, input }) => endSessionsOf(context, input.id, input.session_id)),
  suspend: admin.suspend.handler(({ context, input }) => suspendUser(context, input.id, input.message)),
  unsuspend: admin.unsuspend.handler(({ context, input }) => unsuspendUser(context, input.id, input.reason)),
  mask: admin.mask.handler(({ context, input }) => mask(context, input.id, input.reason)),
  unmask: admin.unmask.handler(({ context }) => unmask(context)),

  actionLogs: admin.actionLogs.handler(({ context, input }) => listActions(context, input)),

  features: admin.features.handler(({ context }) => listFeatures(context)),
  updateFeature: admin.updateFeature.handler(({ context, input }) => updateFeature(context, input)),

  roles: admin.roles.handler(({ context }) => listRoles(context)),
  createRole: admin.createRole.handler(({ context, input }) => createRole(context, input)),
  updateRole: admin.updateRole.handler(({ context, input: { id, ...update } }) => updateRole(context, id, update)),
  deleteRole: admin.deleteRole.handler(async ({ context, input }) => {
    await deleteRole(context, input.id, input.is_forced);
    return ok;
  }),

  jobs: admin.jobs.handler(({ context, input }) => listJobs(context, input)),
  retryJob: admin.retryJob.handler(({ context, input }) => retry(context, input.id)),
  cancelJob: admin.cancelJob.handler(({ context, input }) => cancel(context, input.id, input.reason)),

  subscriptions: admin.subscriptions.handler(({ context, input }) => listSubscriptions(context, input)),
  kernels: admin.kernels.handler(({ context, input }) => runningKernels(context, input)),
  usages: admin.usages.handler(({ context, input }) => usages(context, input)),
  tracking: admin.tracking.handler(({ context, input }) => trackedActivity(context, input)),

  tradingBotChannels: admin.tradingBotChannels.handler(({ context }) => listChannels(context)),
  createTradingBotChannel: admin.createTradingBotChannel.handler(({ context, input }) => createChannel(context, input)),
  updateTradingBotChannel: admin.updateTradingBotChannel.handler(({ context, input: { id, ...update } }) =>
    updateChannel(context, id, update),
  ),
  deleteTradingBotChannel: admin.deleteTradingBotChannel.handler(async ({ context, input }) => {
    await deleteChannel(context, input.id);
    return ok;
  }),
};
