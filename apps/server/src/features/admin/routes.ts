import type { Context } from '../../platform/context.ts';
import { definedOf } from '../../platform/defined.ts';
import { done, endpoints } from '../../platform/http/implement.ts';
import { limitsOf, mailToday, updateMailLimits } from '../mail/limits.ts';
import { createPlan, updatePlan, withdrawPlan } from '../plans/service/manage.ts';
import { listPlans, planById } from '../plans/service/plans.ts';
import { settingsOf, settingsView, updateSettings } from '../plans/service/settings.ts';
import { ratePlanView } from '../plans/view.ts';
import {
  createReferral,
  deleteReferral,
  listReferrals,
  referralById,
  updateReferral,
} from '../referrals/service/codes.ts';
import { referralPeople } from '../referrals/service/dashboard.ts';
import { listActions } from './service/action-logs.ts';
import { createChannel, deleteChannel, listChannels, testChannel, updateChannel } from './service/bot-channels.ts';
import { deleteUser } from './service/delete-user.ts';
import { listFeatures, updateFeature } from './service/features.ts';
import { funnelOf } from './service/funnel.ts';
import { cancel, listJobs, retry } from './service/jobs.ts';
import { kernelHistory } from './service/kernel-history.ts';
import { runningKernels } from './service/kernels.ts';
import { listUsers } from './service/list-users.ts';
import { mask, unmask } from './service/mask.ts';
import { overviewOf } from './service/overview.ts';
import { recorded } from './service/recorded.ts';
import { createRole, deleteRole, listRoles, updateRole } from './service/roles.ts';
import { listSubscriptions } from './service/subscriptions.ts';
import { trackedActivity } from './service/tracking.ts';
import { retryMail, undeliveredMail } from './service/undelivered-mail.ts';
import { usages } from './service/usages.ts';
import { userDetail } from './service/user-detail.ts';
import {
  changeTrial,
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

async function planAsSeen({ db }: Context, id: string) {
  const plan = await planById(db, id);
  return plan && ratePlanView(plan);
}

export const adminRoutes = {
  overview: admin.overview.handler(({ context }) => overviewOf(context)),

  users: admin.users.handler(({ context, input }) => listUsers(context, input)),
  createUser: admin.createUser.handler(({ context, input }) => createAccount(context, input)),
  user: admin.user.handler(({ context, input }) => userDetail(context, input.id)),
  updateUser: admin.updateUser.handler(({ context, input: { id, ...update } }) => updateAccount(context, id, update)),
  deleteUser: admin.deleteUser.handler(({ context, input }) => done(deleteUser(context, input))),
  setRoles: admin.setRoles.handler(({ context, input }) => setRoles(context, input.id, input.role_ids)),
  setAccess: admin.setAccess.handler(({ context, input }) => setAccess(context, input)),
  setSubscription: admin.setSubscription.handler(({ context, input }) => givePlan(context, input)),
  changeTrial: admin.changeTrial.handler(({ context, input }) => changeTrial(context, input.id, input.days)),
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
  deleteRole: admin.deleteRole.handler(({ context, input }) => done(deleteRole(context, input.id, input.is_forced))),

  jobs: admin.jobs.handler(({ context, input }) => listJobs(context, input)),
  retryJob: admin.retryJob.handler(({ context, input }) => retry(context, input.id)),
  cancelJob: admin.cancelJob.handler(({ context, input }) => cancel(context, input.id, input.reason)),

  undeliveredMail: admin.undeliveredMail.handler(({ context, input }) => undeliveredMail(context, input)),
  retryMail: admin.retryMail.handler(({ context, input }) => retryMail(context, input.id)),

  mailLimits: admin.mailLimits.handler(({ context }) => mailToday(context)),
  updateMailLimits: admin.updateMailLimits.handler(({ context, input }) =>
    recorded(context, {
      action: 'mail_limits.updated',
      id: 'mail',
      before: (inner) => limitsOf(inner.db),
      act: (inner) => updateMailLimits(inner, input),
    }),
  ),

  subscriptions: admin.subscriptions.handler(({ context, input }) => listSubscriptions(context, input)),
  kernels: admin.kernels.handler(({ context, input }) => runningKernels(context, input)),
  kernelHistory: admin.kernelHistory.handler(({ context, input }) => kernelHistory(context, input)),
  usages: admin.usages.handler(({ context, input }) => usages(context, input)),
  tracking: admin.tracking.handler(({ context, input }) => trackedActivity(context, input)),

  funnel: admin.funnel.handler(({ context, input }) => funnelOf(context, input)),

  ratePlans: admin.ratePlans.handler(async ({ context }) => ({
    ...(await listPlans(context, { isAll: true })),
    settings: settingsView(await settingsOf(context.db)),
  })),
  createRatePlan: admin.createRatePlan.handler(({ context, input }) =>
    recorded(context, { action: 'rate_plan.created', act: (inner) => createPlan(inner, input) }),
  ),
  updateRatePlan: admin.updateRatePlan.handler(({ context, input: { id, is_withdrawn, ...fields } }) =>
    recorded(context, {
      action: 'rate_plan.updated',
      id,
      before: (inner) => planAsSeen(inner, id),
      async act(inner) {
        if (is_withdrawn === false) await withdrawPlan(inner, id, { isOffered: true });
        return updatePlan(inner, id, definedOf(fields));
      },
    }),
  ),
  deleteRatePlan: admin.deleteRatePlan.handler(({ context, input: { id } }) =>
    recorded(context, {
      action: 'rate_plan.withdrawn',
      id,
      before: (inner) => planAsSeen(inner, id),
      act: (inner) => withdrawPlan(inner, id),
    }),
  ),
  updateBillingSettings: admin.updateBillingSettings.handler(({ context, input }) =>
    recorded(context, {
      action: 'billing_settings.updated',
      id: 'billing',
      before: async (inner) => settingsView(await settingsOf(inner.db)),
      act: (inner) => updateSettings(inner, definedOf(input)),
    }),
  ),

  referrals: admin.referrals.handler(({ context, input }) => listReferrals(context, input)),
  createReferral: admin.createReferral.handler(({ context, input }) =>
    recorded(context, { action: 'referral.created', act: (inner) => createReferral(inner, input) }),
  ),
  updateReferral: admin.updateReferral.handler(({ context, input: { id, ...fields } }) =>
    recorded(context, {
      action: 'referral.updated',
      id,
      before: (inner) => referralById(inner, id),
      act: (inner) => updateReferral(inner, id, definedOf(fields)),
    }),
  ),
  deleteReferral: admin.deleteReferral.handler(({ context, input: { id } }) =>
    done(
      recorded(context, {
        action: 'referral.deleted',
        id,
        before: (inner) => referralById(inner, id),
        act: async (inner) => void (await deleteReferral(inner, id)),
      }),
    ),
  ),
  referralUsers: admin.referralUsers.handler(({ context, input: { id, ...pages } }) =>
    referralPeople(context, id, pages),
  ),

  tradingBotChannels: admin.tradingBotChannels.handler(({ context }) => listChannels(context)),
  createTradingBotChannel: admin.createTradingBotChannel.handler(({ context, input }) => createChannel(context, input)),
  updateTradingBotChannel: admin.updateTradingBotChannel.handler(({ context, input: { id, ...update } }) =>
    updateChannel(context, id, update),
  ),
  testTradingBotChannel: admin.testTradingBotChannel.handler(({ context, input }) => testChannel(context, input.id)),
  deleteTradingBotChannel: admin.deleteTradingBotChannel.handler(({ context, input }) =>
    done(deleteChannel(context, input.id)),
  ),
};
