import { api } from '../../platform/client.ts';

export const extensionQuery = api.quota.extension.queryOptions({ input: {}, staleTime: 0 });
export const quotaQuery = api.quota.get.queryOptions({ input: {} });
