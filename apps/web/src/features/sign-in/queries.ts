import { api } from '../../platform/client.ts';

/** Which ways to sign in this server offers. */
export const configQuery = api.system.config.queryOptions({ input: {}, staleTime: 5 * 60_000 });
