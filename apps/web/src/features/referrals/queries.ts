import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';

export const dashboardQuery = api.referrals.dashboard.queryOptions({ input: {} });

export const referredPeopleQuery = (page: number) =>
  api.referrals.people.queryOptions({ input: { page, page_size: 20 }, placeholderData: keepPreviousData });
