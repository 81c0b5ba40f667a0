import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { defaultRange, type UsageSearch } from './model.ts';

export const summaryQuery = ({ days = defaultRange }: UsageSearch) =>
  api.kernels.usageSummary.queryOptions({ input: { days }, staleTime: 0, placeholderData: keepPreviousData });

export const usageQuery = ({
  type = 'server',
  page = 1,
}: Pick<UsageSearch, 'page'> & { type?: 'server' | 'execution' }) =>
  api.kernels.myUsage.queryOptions({
    input: { type, page, page_size: 20 },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
