import { api } from '../../platform/client.ts';

/** The platform theme; loaded before anything else, changed only by an admin. */
export const themeQuery = api.theme.get.queryOptions({
  input: {},
  staleTime: Number.POSITIVE_INFINITY,
});
