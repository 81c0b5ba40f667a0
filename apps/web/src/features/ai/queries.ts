import { api } from '../../platform/client.ts';

export const providersQuery = () => api.ai.listProviders.queryOptions({ input: {} });
export const modelsQuery = () => api.ai.models.queryOptions({ input: {}, staleTime: 60_000 });
export const pricesQuery = () => api.ai.listPrices.queryOptions({ input: {} });
