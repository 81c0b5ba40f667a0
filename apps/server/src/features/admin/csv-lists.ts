import {
  adminFeature,
  adminJob,
  adminRole,
  adminSubscription,
  type CsvList,
  creditRequest,
  jobFilter,
  type Paging,
  ratePlan,
  referral,
  referredPerson,
  runningKernel,
  subscriptionFilter,
  trackedEvent,
  trackingFilter,
  tradingBotChannel,
  undeliveredMail as undelivered,
  usageFilter,
  usageRow,
  voucher,
} from '@atoll/contract';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { csvLine } from '../../platform/csv.ts';
import { listPlans } from '../plans/service/plans.ts';
import { listReferrals } from '../referrals/service/codes.ts';
import { referralPeople } from '../referrals/service/dashboard.ts';
import { waitingCredits } from '../wallet/service/credits.ts';
import { listVouchers } from '../wallet/service/vouchers.ts';
import { type LogFilter, listActions } from './service/action-logs.ts';
import { listChannels } from './service/bot-channels.ts';
import { listFeatures } from './service/features.ts';
import { listJobs } from './service/jobs.ts';
import { runningKernels } from './service/kernels.ts';
import { planTitles, rolesOf, type UserFilter, usersAt } from './service/list-users.ts';
import { listRoles } from './service/roles.ts';
import { listSubscriptions } from './service/subscriptions.ts';
import { trackedEntries } from './service/tracking.ts';
import { undeliveredMail } from './service/undelivered-mail.ts';
import { usages } from './service/usages.ts';
import { adminUserView } from './view.ts';

type Entry = Record<string, unknown>;

interface List {
  filter: z.ZodType;
  columns: z.ZodObject;
  // biome-ignore lint/suspicious/noExplicitAny: what its own filter answers, checked where it is defined
  pages(ctx: Context, filter: any): AsyncGenerator<Entry[]>;
}

const size = 1_000;
const none = z.strictObject({});

const list = <Filter extends z.ZodType>(
  filter: Filter,
  columns: z.ZodObject,
  pages: (ctx: Context, filter: z.output<Filter>) => AsyncGenerator<Entry[]>,
): List => ({ filter, columns, pages });

type Answer = Promise<{ entries: Entry[] }>;

async function* whole(read: Answer): AsyncGenerator<Entry[]> {
  yield (await read).entries;
}

async function* byNumber(read: (pages: Paging) => Answer): AsyncGenerator<Entry[]> {
  for (let page = 1; ; page++) {
    const { entries } = await read({ page, page_size: size });
    yield entries;
    if (entries.length < size) return;
  }
}

async function* byPlace(
  read: (place: {
    before: string | undefined;
    page_size: number;
  }) => Promise<{ entries: Entry[]; next: string | null }>,
): AsyncGenerator<Entry[]> {
  for (let before: string | undefined; ; ) {
    const { entries, next } = await read({ before, page_size: size });
    yield entries;
    if (next === null) return;
    before = next;
  }
}

/** Each is read as its page reads it. */
export const lists: Record<CsvList, List> = {
  jobs: list(jobFilter, adminJob, (ctx, filter) => byPlace((place) => listJobs(ctx, { ...filter, ...place }))),
  undelivered_mail: list(none, undelivered, (ctx) => byPlace((place) => undeliveredMail(ctx, place))),
  subscriptions: list(subscriptionFilter, adminSubscription, (ctx, filter) =>
    byNumber((pages) => listSubscriptions(ctx, { ...filter, ...pages })),
  ),
  kernels: list(none, runningKernel, (ctx) => byNumber((pages) => runningKernels(ctx, pages))),
  usages: list(usageFilter, usageRow, (ctx, filter) => byNumber((pages) => usages(ctx, { ...filter, ...pages }))),
  tracking: list(trackingFilter, trackedEvent, (ctx, filter) =>
    byPlace((place) => trackedEntries(ctx, { ...filter, ...place })),
  ),
  features: list(none, adminFeature, (ctx) => whole(listFeatures(ctx))),
  roles: list(none, adminRole, (ctx) => whole(listRoles(ctx))),
  rate_plans: list(none, ratePlan, (ctx) => whole(listPlans(ctx, { isAll: true }))),
  referrals: list(none, referral, (ctx) => byNumber((pages) => listReferrals(ctx, pages))),
  referral_users: list(z.strictObject({ id: z.uuid() }), referredPerson, (ctx, { id }) =>
    byNumber((pages) => referralPeople(ctx, id, pages)),
  ),
  vouchers: list(none, voucher, (ctx) => byNumber((pages) => listVouchers(ctx, pages))),
  credit_requests: list(none, creditRequest, (ctx) => whole(waitingCredits(ctx))),
  trading_bot_channels: list(none, tradingBotChannel, (ctx) => whole(listChannels(ctx))),
};

export const userColumns = [
  'id',
  'user_name',
  'first_name',
  'last_name',
  'email',
  'role',
  'roles',
  'plan',
  'balance',
  'state',
  'created_at',
  'active_at',
];

/** Without counting them for each page. */
export async function* users(ctx: Context, filter: UserFilter): AsyncGenerator<Entry[]> {
  const plans = await planTitles(ctx);
  for (let offset = 0; ; offset += size) {
    const rows = await usersAt(ctx, filter, size, offset);
    const roles = await rolesOf(
      ctx,
      rows.map(({ id }) => id),
    );
    yield rows.map((row) => {
      const user = adminUserView(row, roles.get(row.id) ?? [], plans);
      return { ...user, plan: user.plan.title };
    });
    if (rows.length < size) return;
  }
}

export const actionColumns = [
  'created_at',
  'action',
  'actor',
  'masked_as',
  'subject_type',
  'subject_id',
  'subject',
  'reason',
  'before',
  'after',
];

export const actions = (ctx: Context, filter: LogFilter): AsyncGenerator<Entry[]> =>
  byPlace(async (place) => {
    const { entries, next } = await listActions(ctx, { ...filter, ...place });
    const rows = entries.map(({ subject: { type, id, name }, before, after, ...log }) => ({
      ...log,
      ...{ subject_type: type, subject_id: id, subject: name },
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    }));
    return { entries: rows, next };
  });

export async function* csvLines(columns: string[], pages: AsyncGenerator<Entry[]>): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const entries of pages)
    yield entries.map((entry) => csvLine(columns.map((name) => cell(entry[name])))).join('');
}

/** People and things by their names; what has none is written as it is sent. */
function cell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(cell).join(' ');
  const { user_name, name } = value as Entry;
  const word = user_name ?? name;
  return typeof word === 'string' ? word : JSON.stringify(value);
}
