import {
  adminFeature,
  adminJob,
  adminRole,
  adminSubscription,
  type CsvList,
  creditRequest,
  jobFilter,
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
import { listPlans } from '../plans/service/plans.ts';
import { listReferrals } from '../referrals/service/codes.ts';
import { referralPeople } from '../referrals/service/dashboard.ts';
import { waitingCredits } from '../wallet/service/credits.ts';
import { listVouchers } from '../wallet/service/vouchers.ts';
import { listChannels } from './service/bot-channels.ts';
import { listFeatures } from './service/features.ts';
import { listJobs } from './service/jobs.ts';
import { runningKernels } from './service/kernels.ts';
import { listRoles } from './service/roles.ts';
import { listSubscriptions } from './service/subscriptions.ts';
import { trackedEntries } from './service/tracking.ts';
import { undeliveredMail } from './service/undelivered-mail.ts';
import { usages } from './service/usages.ts';

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

async function* byNumber(read: (pages: { page: number; page_size: number }) => Answer): AsyncGenerator<Entry[]> {
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

/** People and things by their names; what has none is written as it is sent. */
export function cell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(cell).join(' ');
  const { user_name, name } = value as Entry;
  const word = user_name ?? name;
  return typeof word === 'string' ? word : JSON.stringify(value);
}
