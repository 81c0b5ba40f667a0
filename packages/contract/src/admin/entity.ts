import { z } from 'zod';
import { featureNames } from '../features.ts';
import { email, id, line, text, time, userName } from '../fields.ts';
import { computeTiers, limitNames } from '../plans.ts';
import { personSummary } from '../projects/entity.ts';
import { role, userRoles } from '../session/entity.ts';

export const featureOverrides = z.partialRecord(z.enum(featureNames), z.boolean());

export const userStates = ['active', 'suspended', 'guest', 'deleted'] as const;
export const userSorts = ['created_at', 'active_at', 'user_name', 'balance'] as const;

export const adminUser = z.object({
  id,
  user_name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  is_email_confirmed: z.boolean(),
  avatar: z.string().nullable(),
  avatar_icon: z.string().nullable(),
  role: z.enum(userRoles),
  roles: z.array(role),
  plan: z.object({ name: z.string(), title: z.string() }),
  balance: z.int(),
  state: z.enum(userStates),
  created_at: time,
  active_at: time,
});
export type AdminUser = z.infer<typeof adminUser>;

export const featureSources = [
  'unbuilt',
  'reports_only',
  'configuration',
  'person',
  'role',
  'installation',
  'plan',
  'default',
] as const;

export const explainedFeature = z.object({
  name: z.enum(featureNames),
  is_enabled: z.boolean(),
  source: z.enum(featureSources).describe('What decided it'),
  source_name: z.string().nullable().describe('The role or the plan'),
});

const most = z.int().min(0).max(1_000_000).nullable();
export const roleLimits = z
  .strictObject({
    projects: most,
    execution_hours: most.describe('A month'),
    longest_run_hours: most,
    tier: z.enum(computeTiers),
  })
  .partial()
  .describe('Null is without limit; the highest of plan and roles counts');

export const explainedLimit = z.object({
  name: z.enum(limitNames),
  value: z
    .union([z.int(), z.enum(computeTiers)])
    .nullable()
    .describe('Null is without limit'),
  source: z.enum(['admin', 'guest', 'plan', 'role']).describe('What decided it'),
  source_name: z.string().nullable().describe('The role or the plan'),
});

export const adminSession = z.object({
  id,
  method: z.string(),
  ip: z.string(),
  user_agent: z.string(),
  created_at: time,
  last_seen_at: time,
  masked_by: personSummary.nullable(),
});

export const adminUserDetail = adminUser.extend({
  suspension: z.object({ suspended_at: time, message: z.string().nullable() }).nullable(),
  features: featureOverrides,
  effective_features: z.array(explainedFeature),
  effective_limits: z.array(explainedLimit),
  projects_count: z.int(),
  teams_count: z.int(),
  api_keys_count: z.int(),
  kernels_count: z.int().describe('Running now'),
  files_bytes: z.int(),
  user_source: z.string().nullable(),
  referral_code: z.string().nullable(),
  referred_by: z.string().nullable(),
  managed_by: z.string().nullable(),
  sessions: z.array(adminSession),
  trial: z.object({ expires_at: time }).nullable().describe('A plan without payment, for some days'),
});
export type AdminUserDetail = z.infer<typeof adminUserDetail>;

export const newAdminUser = z.strictObject({
  email,
  user_name: userName.optional(),
  first_name: line(100).default(''),
  last_name: line(100).default(''),
  role: z.enum(userRoles).default('user'),
  role_ids: z.array(id).max(50).default([]),
});

export const adminUserUpdate = z.strictObject({
  email: email.optional(),
  user_name: userName.optional(),
  first_name: line(100).optional(),
  last_name: line(100).optional(),
  headline: line(200).optional(),
  company_name: line(100).optional(),
  company_position: line(100).optional(),
  is_discoverable: z.boolean().optional(),
  is_email_confirmed: z.literal(true).optional(),
  features: z
    .partialRecord(z.enum(featureNames), z.boolean().nullable())
    .optional()
    .describe('For this person alone; null takes an entry back'),
});

export const adminRole = z.object({
  id,
  name: z.string(),
  description: z.string(),
  features: featureOverrides,
  limits: roleLimits,
  people_count: z.int(),
  created_at: time,
});
export type AdminRole = z.infer<typeof adminRole>;

export const roleFields = z.strictObject({
  name: line(60).min(1, 'Enter a name'),
  description: line(300).default(''),
  features: featureOverrides.default({}),
  limits: roleLimits.default({}),
});

export const adminFeature = z.object({
  name: z.enum(featureNames),
  is_built: z.boolean().describe('False for a part that this version does not have: it stays off'),
  is_on_by_default: z.boolean(),
  configured: z.boolean().nullable().describe('Fixed by the configuration of the server'),
  is_enabled: z.boolean().nullable().describe('For the whole installation; null is the default'),
  message: z.string().nullable().describe('Shown to people who lack it'),
  plans_without: z.array(z.string()).describe('Titles of plans'),
  roles: z.array(z.object({ id, name: z.string(), is_enabled: z.boolean() })),
  people: z.object({ on: z.int(), off: z.int() }).describe('For how many people it is set by name'),
});
export type AdminFeature = z.infer<typeof adminFeature>;

export const actionLog = z.object({
  id,
  action: z.string(),
  actor: personSummary.nullable(),
  masked_as: personSummary.nullable().describe('The person in whose name the admin acted'),
  subject: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }),
  reason: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  created_at: time,
});
export type ActionLog = z.infer<typeof actionLog>;

export const reason = text(500).trim().min(1, 'Say why');

const day = z.object({ day: z.iso.date(), value: z.int() });
export const overview = z.object({
  counts: z.object({
    people: z.int(),
    guests: z.int(),
    suspended: z.int(),
    projects: z.int(),
    publications: z.int(),
    teams: z.int(),
    kernels: z.int().describe('Running now'),
    files_bytes: z.int(),
    units: z.int().describe('In all wallets'),
  }),
  counted_at: time.describe('When `counts` and `days` were counted'),
  days: z.object({ sign_ups: z.array(day), active: z.array(day), runs: z.array(day), failed_runs: z.array(day) }),
  jobs: z.object({ queued: z.int(), running: z.int(), failed: z.int().describe('In the last day') }),
  mail: z.object({ failed: z.int().describe('In the last day') }),
  health: z.array(z.object({ name: z.string(), is_well: z.boolean(), detail: z.string() })),
  version: z.object({ commit: z.string(), tag: z.string().nullable() }),
  started_at: time,
});
export type Overview = z.infer<typeof overview>;

export const adminJob = z.object({
  id,
  kind: z.string(),
  state: z.string(),
  owner: personSummary.nullable(),
  attempts: z.int(),
  progress: z.number().nullable(),
  message: z.string().nullable(),
  reason: z.string().nullable(),
  due_at: time,
  created_at: time,
  started_at: time.nullable(),
  ended_at: time.nullable(),
});
export type AdminJob = z.infer<typeof adminJob>;

export const undeliveredMail = z.object({
  id,
  to: z.string(),
  event: z.string().describe('The event that the mail is about'),
  reason: z.string(),
  attempts: z.int(),
  next_attempt_at: time.nullable().describe('Null when it is no longer tried by itself'),
  created_at: time,
});
export type UndeliveredMail = z.infer<typeof undeliveredMail>;

const mailsInADay = z.int().min(0).max(10_000_000);

/** Mail that one account makes the product send to others, in a day (UTC). */
export const mailLimitFields = z.strictObject({
  per_account: mailsInADay.describe(
    'To people outside of its projects: invitations, reports, questions whether they want some',
  ),
  per_recipient: mailsInADay.describe(
    'To one address, by all accounts; reports of projects that it belongs to count too',
  ),
  per_installation: mailsInADay.describe('To people outside of projects, by all accounts'),
});
export type MailLimits = z.infer<typeof mailLimitFields>;

export const mailToday = z.object({
  limits: mailLimitFields,
  sent: z.int(),
  busiest_recipient: z.int().describe('The most that one address got; which one is not stored'),
  accounts: z.array(z.object({ person: personSummary.nullable(), sent: z.int() })).describe('Those that sent most'),
});
export type MailToday = z.infer<typeof mailToday>;

export const adminSubscription = z.object({
  id,
  person: personSummary,
  plan: z.string(),
  next_plan: z.string().nullable(),
  is_yearly: z.boolean(),
  next_billing_at: time.nullable(),
  canceled_at: time.nullable(),
  is_in_grace: z.boolean(),
});

export const usageGroups = ['person', 'day', 'tier'] as const;
export const usageRow = z.object({
  key: z.string().describe('A day, a size, or the id of a person'),
  person: personSummary.nullable(),
  kernels: z.int(),
  executions: z.int(),
  used_ms: z.int(),
});

export const runningKernel = z.object({
  id,
  person: personSummary.nullable(),
  project: z.object({ id, name: z.string() }).nullable(),
  kernel: z.string(),
  tier: z.string(),
  purpose: z.string(),
  state: z.string(),
  server_id: id,
  used_ms: z.int(),
  executions: z.int(),
  started_at: time,
  active_at: time,
});

export const kernelHistory = z.object({
  points: z.array(
    z.object({
      at: time,
      kernels: z.int().describe('At most at once'),
      memory_bytes: z.int().describe('At most at once'),
      cores: z.number().describe('On average'),
    }),
  ),
  people: z.array(z.object({ id, person: personSummary.nullable(), memory_peak: z.int(), cpu_seconds: z.number() })),
});
export type KernelHistory = z.infer<typeof kernelHistory>;

export const trackingFilter = z.strictObject({
  name: line(80).optional(),
  user_id: id.optional(),
  from: time.optional(),
  to: time.optional(),
});
export const trackedEvent = z.object({
  id,
  name: z.string(),
  person: personSummary.nullable(),
  properties: z.record(z.string(), z.unknown()),
  happened_at: time,
});

const eventName = line(80).min(1, 'Choose an event');
export const funnelFilter = z.strictObject({
  step_1: eventName,
  step_2: eventName,
  step_3: eventName.optional(),
  step_4: eventName.optional(),
  step_5: eventName.optional(),
  from: time.optional(),
  to: time.optional(),
});
export const funnel = z.object({
  steps: z.array(z.object({ name: z.string(), people: z.int() })),
  is_estimate: z.boolean().describe('Worked out from a part of the people, because there are very many events'),
});
export type Funnel = z.infer<typeof funnel>;

export const botChannelTypes = ['all', 'trades', 'results', 'alarms'] as const;
export const tradingBotChannel = z.object({
  id,
  type: z.enum(botChannelTypes).describe('What is posted there'),
  title: z.string(),
  telegram_chat_id: z.string(),
  is_enabled: z.boolean(),
  periodic_updates_enabled: z.boolean(),
  periodic_updates_interval: z.int().describe('In minutes'),
  last_post_at: time.nullable(),
  problem: z.string().nullable().describe('Why the last post did not arrive'),
  created_at: time,
});
export type TradingBotChannel = z.infer<typeof tradingBotChannel>;
const chatId = line(100).regex(/^(-?\d{1,20}|@\w{4,32})$/, 'Enter a number such as -1001234567890, or @channel');
export const botChannelFields = z.strictObject({
  type: z.enum(botChannelTypes),
  title: line(100).min(1, 'Enter a title'),
  telegram_chat_id: chatId,
  is_enabled: z.boolean(),
  periodic_updates_enabled: z.boolean(),
  periodic_updates_interval: z.int().min(5, 'At least 5 minutes').max(10_080, 'At most a week'),
});
