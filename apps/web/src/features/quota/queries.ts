import { api } from '../../platform/client.ts';

export const quotaQuery = api.quota.get.queryOptions({ input: {} });
