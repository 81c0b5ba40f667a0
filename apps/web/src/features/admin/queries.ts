import type { CsvList } from '@atoll/contract/admin/endpoints';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { apiBase } from '../../platform/http.ts';
import {
  type JobsSearch,
  type LogSearch,
  parseJobsSearch,
  parseLogSearch,
  parseSubscriptionsSearch,
  parseTrackingSearch,
  parseUsersSearch,
  type SubscriptionsSearch,
  type TrackingSearch,
  type UsageSearch,
  type UsersSearch,
} from './model.ts';

// The search of a page has what its parents take from the address, too.

export const usersOnPage = 20;
const kept = { placeholderData: keepPreviousData };

export const overviewQuery = () => api.admin.overview.queryOptions({ input: {}, refetchInterval: 30_000 });
export const usersQuery = (search: UsersSearch) =>
  api.admin.users.queryOptions({ input: { ...parseUsersSearch(search), page_size: usersOnPage }, ...kept });
export const userQuery = (id: string) => api.admin.user.queryOptions({ input: { id } });
export const walletOfQuery = (id: string) =>
  api.wallet.entriesOf.infiniteOptions({
    input: (before: number | undefined) => ({ id, before, page_size: 20 }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
export const rolesQuery = () => api.admin.roles.queryOptions({ input: {} });
export const featuresQuery = () => api.admin.features.queryOptions({ input: {} });
export const kernelsQuery = (page: number) =>
  api.admin.kernels.queryOptions({ input: { page, page_size: 20 }, refetchInterval: 5_000, ...kept });
export const kernelHistoryQuery = (hours: number) =>
  api.admin.kernelHistory.queryOptions({ input: { hours }, refetchInterval: 60_000, ...kept });
export const usagesQuery = ({ group }: UsageSearch) =>
  api.admin.usages.queryOptions({ input: { group, page_size: 100 }, ...kept });
export const subscriptionsQuery = (search: SubscriptionsSearch) =>
  api.admin.subscriptions.queryOptions({
    input: { ...parseSubscriptionsSearch(search), page_size: usersOnPage },
    ...kept,
  });
export const plansQuery = () => api.admin.ratePlans.queryOptions({ input: {} });
export const referralsQuery = (page: number) =>
  api.admin.referrals.queryOptions({ input: { page, page_size: usersOnPage }, ...kept });
export const creditRequestsQuery = () => api.wallet.creditRequests.queryOptions({ input: {} });
export const vouchersQuery = (page: number) =>
  api.wallet.vouchers.queryOptions({ input: { page, page_size: usersOnPage }, ...kept });
export const botChannelsQuery = () => api.admin.tradingBotChannels.queryOptions({ input: {} });
export const jobsQuery = (search: JobsSearch) =>
  api.admin.jobs.infiniteOptions({
    input: (before: string | undefined) => ({ ...parseJobsSearch(search), before, page_size: 20 }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 5_000,
  });
export const undeliveredMailQuery = () =>
  api.admin.undeliveredMail.infiniteOptions({
    input: (before: string | undefined) => ({ before, page_size: 10 }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
export const mailLimitsQuery = () => api.admin.mailLimits.queryOptions({ input: {}, refetchInterval: 30_000 });
export const actionLogQuery = (search: LogSearch, size = 20) =>
  api.admin.actionLogs.infiniteOptions({
    input: (before: string | undefined) => ({ ...parseLogSearch(search), before, page_size: size }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
export const trackingQuery = (search: TrackingSearch) =>
  api.admin.tracking.infiniteOptions({
    input: (before: string | undefined) => {
      const { name, user_id } = parseTrackingSearch(search);
      return { name, user_id, before, page_size: 20 };
    },
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export const funnelQuery = ([step_1 = '', step_2 = '', step_3, step_4, step_5]: string[], days: number) => {
  // To the hour, so that the same question is asked once.
  const from = new Date(Math.floor(Date.now() / 3_600_000 - days * 24) * 3_600_000).toISOString();
  const input = { step_1, step_2, step_3, step_4, step_5, from };
  return api.admin.funnel.queryOptions({ input, enabled: step_2 !== '', ...kept });
};

const csvUrl = (list: string, search: object): string => {
  const given = Object.entries(search).filter(([name, value]) => value !== undefined && name !== 'page');
  return `${apiBase()}/v1/admin/${list}/csv?${new URLSearchParams(given as [string, string][])}`;
};
/** Of the lists that have no address of their own for it. */
export const listCsv = (list: CsvList, search: object = {}) => csvUrl(`lists/${list}`, search);
export const usersCsv = (search: UsersSearch) => csvUrl('users', parseUsersSearch(search));
export const actionLogCsv = (search: LogSearch) => csvUrl('action_logs', parseLogSearch(search));
