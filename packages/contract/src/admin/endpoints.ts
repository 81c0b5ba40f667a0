import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { featureNames } from '../features.ts';
import { changeOf, done, empty, id, line, list, page, time } from '../fields.ts';
import { referral, referralFields, referredPerson } from '../referrals/entity.ts';
import { session, userRoles } from '../session/entity.ts';
import { billingSettingFields, ratePlan, ratePlanFields } from '../subscriptions/entity.ts';
import {
  actionLog,
  adminFeature,
  adminJob,
  adminRole,
  adminSubscription,
  adminUser,
  adminUserDetail,
  adminUserUpdate,
  botChannelFields,
  funnel,
  funnelFilter,
  kernelHistory,
  mailLimitFields,
  mailToday,
  newAdminUser,
  overview,
  reason,
  roleFields,
  runningKernel,
  trackedEvent,
  trackingFilter,
  tradingBotChannel,
  undeliveredMail,
  usageGroups,
  usageRow,
  userSorts,
  userStates,
} from './entity.ts';

const view = { permission: 'admin.view', tag: 'Admin', keyScope: 'never' } as const;
const edit = { permission: 'admin.edit', tag: 'Admin', keyScope: 'never' } as const;
const ofOne = z.strictObject({ id });
const pages = { page: page(1, 1_000), page_size: page(20, 100) };
/** Counting all of a very long list takes longer than reading a page of it. */
const counted = { is_more: z.boolean().describe('There are more than `total`') };

export const adminUserFilter = z.strictObject({
  search: line(200).optional(),
  state: z.enum(userStates).optional(),
  role: z.enum(userRoles).optional(),
  role_id: id.optional(),
  plan: line(100).optional().describe('Its name'),
  sort: z.enum(userSorts).default('created_at'),
  direction: z.enum(['asc', 'desc']).default('desc'),
});
export const actionLogFilter = z.strictObject({
  search: line(200).optional().describe('A part of the action'),
  actor_id: id.optional(),
  subject_id: line(100).optional(),
  from: time.optional(),
  to: time.optional(),
});
/** Lists that are read whole as csv, under the names of their addresses; accounts and the log have their own. */
export const csvLists = [
  'jobs',
  'undelivered_mail',
  'subscriptions',
  'kernels',
  'usages',
  'tracking',
  'features',
  'roles',
  'rate_plans',
  'referrals',
  'referral_users',
  'vouchers',
  'credit_requests',
  'trading_bot_channels',
] as const;
export type CsvList = (typeof csvLists)[number];

export const jobStatesShown = ['queued', 'running', 'failed', 'succeeded', 'canceled'] as const;

export const jobFilter = z.strictObject({
  state: z.enum(jobStatesShown).optional(),
  kind: line(100).optional(),
});
export const subscriptionFilter = z.strictObject({ search: line(200).optional(), plan: line(100).optional() });
export const usageFilter = z.strictObject({
  group: z.enum(usageGroups).default('person'),
  from: time.optional(),
  to: time.optional().describe('Not included'),
});

export const adminEndpoints = {
  overview: endpoint('GET', '/v1/admin/overview', { ...view, summary: 'How the installation is doing' })
    .input(empty)
    .output(overview),

  users: endpoint('GET', '/v1/admin/users', { ...view, summary: 'All accounts' })
    .input(adminUserFilter.extend(pages))
    .output(list(adminUser).extend(counted)),
  createUser: endpoint('POST', '/v1/admin/users', {
    ...edit,
    summary: 'Create an account',
    description: 'The person gets a link by mail to choose a password.',
  })
    .input(newAdminUser)
    .output(adminUserDetail),
  user: endpoint('GET', '/v1/admin/users/{id}', { ...view, summary: 'An account' })
    .input(ofOne)
    .output(adminUserDetail),
  updateUser: endpoint('PATCH', '/v1/admin/users/{id}', { ...edit, summary: 'Change an account' })
    .input(ofOne.extend(adminUserUpdate.shape))
    .output(adminUserDetail),
  deleteUser: endpoint('DELETE', '/v1/admin/users/{id}', {
    ...edit,
    summary: 'Delete an account',
    description: 'What the books say of it stays. Its projects go to another person, or to its trash.',
  })
    .input(ofOne.extend({ reason, transfer_to_id: id.nullable().default(null) }))
    .output(done),
  setRoles: endpoint('PUT', '/v1/admin/users/{id}/roles', { ...edit, summary: 'Choose the roles of a person' })
    .input(ofOne.extend({ role_ids: z.array(id).max(50) }))
    .output(adminUserDetail),
  setAccess: endpoint('PATCH', '/v1/admin/users/{id}/access', { ...edit, summary: 'Make a person an admin, or not' })
    .input(ofOne.extend({ role: z.enum(userRoles), reason: reason.optional() }))
    .output(adminUserDetail),
  setSubscription: endpoint('PATCH', '/v1/admin/users/{id}/subscription', {
    ...edit,
    summary: 'Give a person a plan',
    description: 'Without payment. A subscription that the person pays for ends with it.',
  })
    .input(ofOne.extend({ plan: line(100).describe('Its name'), reason: reason.optional() }))
    .output(adminUserDetail),
  changeTrial: endpoint('PATCH', '/v1/admin/users/{id}/trial', { ...edit, summary: 'Extend a trial, or end it' })
    .input(ofOne.extend({ days: z.int().min(0).max(366).describe('More; 0 ends it now') }))
    .output(adminUserDetail),
  endSessions: endpoint('POST', '/v1/admin/users/{id}/end_sessions', {
    ...edit,
    summary: 'End sessions of a person: one, or all',
  })
    .input(ofOne.extend({ session_id: id.optional() }))
    .output(adminUserDetail),
  suspend: endpoint('POST', '/v1/admin/users/{id}/suspend', {
    ...edit,
    summary: 'Suspend an account',
    description: 'Sessions, kernels and runs end; schedules and API keys rest. Nothing is deleted.',
  })
    .input(ofOne.extend({ message: reason.describe('Shown to the person') }))
    .output(adminUserDetail),
  unsuspend: endpoint('POST', '/v1/admin/users/{id}/unsuspend', { ...edit, summary: 'Lift a suspension' })
    .input(ofOne.extend({ reason: reason.optional() }))
    .output(adminUserDetail),
  mask: endpoint('POST', '/v1/admin/users/{id}/mask', {
    ...edit,
    permission: 'admin.mask',
    summary: 'Act as another person for an hour',
    description:
      'To look at what they see, without their secrets, keys and money. Every call that changes something answers 403.',
  })
    .input(ofOne.extend({ reason }))
    .output(session),
  unmask: endpoint('POST', '/v1/admin/unmask', {
    ...edit,
    permission: 'admin.unmask',
    summary: 'Stop acting as another person',
  })
    .input(empty)
    .output(session),

  actionLogs: endpoint('GET', '/v1/admin/action_logs', { ...view, summary: 'Who did what to whom, newest first' })
    .input(actionLogFilter.extend({ before: id.optional(), page_size: page(10, 100) }))
    .output(z.object({ entries: z.array(actionLog), next: id.nullable() })),

  features: endpoint('GET', '/v1/admin/features', { ...view, summary: 'Every feature, and for whom it is on' })
    .input(empty)
    .output(z.object({ entries: z.array(adminFeature) })),
  updateFeature: endpoint('PATCH', '/v1/admin/features', {
    ...edit,
    summary: 'Turn a feature on or off for the installation',
    description: 'Roles and single people can still have it, or lack it.',
  })
    .input(
      z.strictObject({
        name: z.enum(featureNames),
        is_enabled: z.boolean().nullable(),
        message: line(200).nullable().default(null),
      }),
    )
    .output(adminFeature),

  roles: endpoint('GET', '/v1/admin/roles', { ...view, summary: 'All roles' })
    .input(empty)
    .output(z.object({ entries: z.array(adminRole) })),
  createRole: endpoint('POST', '/v1/admin/roles', { ...edit, summary: 'Create a role' })
    .input(roleFields)
    .output(adminRole),
  updateRole: endpoint('PATCH', '/v1/admin/roles/{id}', { ...edit, summary: 'Change a role' })
    .input(
      ofOne.extend({
        name: roleFields.shape.name.optional(),
        description: line(300).optional(),
        features: roleFields.shape.features.unwrap().optional(),
        limits: roleFields.shape.limits.unwrap().optional(),
      }),
    )
    .output(adminRole),
  deleteRole: endpoint('DELETE', '/v1/admin/roles/{id}', {
    ...edit,
    summary: 'Delete a role',
    description: 'One that people have is deleted only with `is_forced`, and taken from them.',
  })
    .input(ofOne.extend({ is_forced: z.boolean().default(false) }))
    .output(done),

  jobs: endpoint('GET', '/v1/admin/jobs', { ...view, summary: 'Background jobs, newest first' })
    .input(jobFilter.extend({ before: id.optional(), page_size: page(20, 100) }))
    .output(z.object({ entries: z.array(adminJob), next: id.nullable(), kinds: z.array(z.string()) })),
  retryJob: endpoint('POST', '/v1/admin/jobs/{id}/retry', { ...edit, summary: 'Try a failed job again' })
    .input(ofOne)
    .output(adminJob),
  cancelJob: endpoint('POST', '/v1/admin/jobs/{id}/cancel', { ...edit, summary: 'Cancel a job' })
    .input(ofOne.extend({ reason }))
    .output(adminJob),

  undeliveredMail: endpoint('GET', '/v1/admin/undelivered_mail', {
    ...view,
    summary: 'Mail that was not delivered, newest first',
  })
    .input(z.strictObject({ before: id.optional(), page_size: page(20, 100) }))
    .output(z.object({ entries: z.array(undeliveredMail), next: id.nullable() })),
  retryMail: endpoint('POST', '/v1/admin/undelivered_mail/{id}/retry', { ...edit, summary: 'Send a mail again' })
    .input(ofOne)
    .output(undeliveredMail),

  mailLimits: endpoint('GET', '/v1/admin/mail_limits', {
    ...view,
    summary: 'How much mail accounts may send to others in a day, and did today',
  })
    .input(empty)
    .output(mailToday),
  updateMailLimits: endpoint('PATCH', '/v1/admin/mail_limits', {
    ...edit,
    summary: 'Change how much mail accounts may send to others in a day',
  })
    .input(mailLimitFields.partial())
    .output(mailLimitFields),

  subscriptions: endpoint('GET', '/v1/admin/subscriptions', { ...view, summary: 'All paid subscriptions' })
    .input(subscriptionFilter.extend(pages))
    .output(list(adminSubscription).extend(counted)),

  kernels: endpoint('GET', '/v1/admin/kernels', { ...view, summary: 'Kernels that run now' })
    .input(z.strictObject({ ...pages }))
    .output(
      list(runningKernel).extend({
        busy: z.int(),
        starting: z.int(),
        queued_cells: z.int().describe('Cells that wait in notebooks'),
        by_tier: z.record(z.string(), z.int()),
        by_server: z.record(z.string(), z.int()),
      }),
    ),
  kernelHistory: endpoint('GET', '/v1/admin/kernels/history', {
    ...view,
    summary: 'Memory and processors of kernels over time, in all and by person',
    description: 'Sampled every minute and kept for a week.',
  })
    .input(z.strictObject({ hours: z.coerce.number().int().min(1).max(168).default(24), user_id: id.optional() }))
    .output(kernelHistory),
  usages: endpoint('GET', '/v1/admin/usages', {
    ...view,
    summary: 'What kernels were used for, most first',
    description: 'Without a range: of the last 30 days, up to five minutes old.',
  })
    .input(usageFilter.extend(pages))
    .output(
      z.object({
        entries: z.array(usageRow),
        total: usageRow.omit({ key: true, person: true }),
        counted_at: time,
      }),
    ),

  tracking: endpoint('GET', '/v1/admin/tracking', {
    ...view,
    summary: 'Product events: by day, by name, and the newest',
    description: 'Sums are of whole days in UTC, and up to five minutes old.',
  })
    .input(trackingFilter.extend({ before: id.optional(), page_size: page(20, 100) }))
    .output(
      z.object({
        days: z.array(z.object({ day: z.iso.date(), events: z.int(), people: z.int() })),
        names: z.array(z.object({ name: z.string(), events: z.int(), people_per_day: z.number() })),
        entries: z.array(trackedEvent),
        next: id.nullable(),
      }),
    ),

  funnel: endpoint('GET', '/v1/admin/tracking/funnel', {
    ...view,
    summary: 'How many people went from one event to the next',
    description:
      'A person reaches a step with the first such event after the step before. The last 30 days, unless said.',
  })
    .input(funnelFilter)
    .output(funnel),

  ratePlans: endpoint('GET', '/v1/admin/rate_plans', {
    ...view,
    summary: 'All plans, withdrawn ones too, and their settings',
  })
    .input(empty)
    .output(z.object({ entries: z.array(ratePlan), settings: billingSettingFields })),
  createRatePlan: endpoint('POST', '/v1/admin/rate_plans', { ...edit, summary: 'Create a plan' })
    .input(ratePlanFields)
    .output(ratePlan),
  updateRatePlan: endpoint('PATCH', '/v1/admin/rate_plans/{id}', {
    ...edit,
    summary: 'Change a plan',
    description: 'What it includes counts at once, its price from the next billing on.',
  })
    .input(ofOne.extend(changeOf(ratePlanFields).shape).extend({ is_withdrawn: z.literal(false).optional() }))
    .output(ratePlan),
  deleteRatePlan: endpoint('DELETE', '/v1/admin/rate_plans/{id}', {
    ...edit,
    summary: 'Withdraw a plan',
    description: 'It is no longer offered. Those who have it keep it.',
  })
    .input(ofOne)
    .output(ratePlan),
  updateBillingSettings: endpoint('PATCH', '/v1/admin/billing_settings', { ...edit, summary: 'Change what units buy' })
    .input(billingSettingFields.partial())
    .output(billingSettingFields),

  referrals: endpoint('GET', '/v1/admin/referrals', { ...view, summary: 'All referral codes' })
    .input(z.strictObject(pages))
    .output(list(referral)),
  createReferral: endpoint('POST', '/v1/admin/referrals', { ...edit, summary: 'Create a referral code' })
    .input(referralFields)
    .output(referral),
  updateReferral: endpoint('PATCH', '/v1/admin/referrals/{id}', { ...edit, summary: 'Change a referral code' })
    .input(ofOne.extend(changeOf(referralFields).shape))
    .output(referral),
  deleteReferral: endpoint('DELETE', '/v1/admin/referrals/{id}', { ...edit, summary: 'Delete a referral code' })
    .input(ofOne)
    .output(done),
  referralUsers: endpoint('GET', '/v1/admin/referrals/{id}/users', { ...view, summary: 'Who signed up with a code' })
    .input(ofOne.extend(pages))
    .output(list(referredPerson)),

  tradingBotChannels: endpoint('GET', '/v1/admin/trading_bot_channels', {
    ...view,
    summary: 'Channels of the trading bot',
  })
    .input(empty)
    .output(z.object({ entries: z.array(tradingBotChannel) })),
  createTradingBotChannel: endpoint('POST', '/v1/admin/trading_bot_channels', { ...edit, summary: 'Add a channel' })
    .input(
      botChannelFields.extend({
        type: botChannelFields.shape.type.default('all'),
        is_enabled: z.boolean().default(true),
        periodic_updates_enabled: z.boolean().default(false),
        periodic_updates_interval: botChannelFields.shape.periodic_updates_interval.default(240),
      }),
    )
    .output(tradingBotChannel),
  updateTradingBotChannel: endpoint('PATCH', '/v1/admin/trading_bot_channels/{id}', {
    ...edit,
    summary: 'Change a channel',
  })
    .input(botChannelFields.partial().extend({ id }))
    .output(tradingBotChannel),
  testTradingBotChannel: endpoint('POST', '/v1/admin/trading_bot_channels/{id}/test', {
    ...edit,
    summary: 'Post a test message there',
  })
    .input(ofOne)
    .output(tradingBotChannel),
  deleteTradingBotChannel: endpoint('DELETE', '/v1/admin/trading_bot_channels/{id}', {
    ...edit,
    summary: 'Delete a channel',
  })
    .input(ofOne)
    .output(done),
};

export const adminRawEndpoints = {
  usersCsv: rawEndpoint('GET', '/v1/admin/users/csv', { ...view, summary: 'All accounts as csv' }),
  listCsv: rawEndpoint('GET', '/v1/admin/lists/{list}/csv', {
    ...view,
    summary: 'A list of the admin area as csv, filtered as the list itself',
  }),
  actionLogsCsv: rawEndpoint('GET', '/v1/admin/action_logs/csv', { ...view, summary: 'The action log as csv' }),
};
