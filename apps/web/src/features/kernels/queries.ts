import { api } from '../../platform/client.ts';

const askAgainMs = 2_000;

/** What code can be run with; asked again while an environment is being made. */
export const kernelsQuery = api.kernels.list.queryOptions({
  input: {},
  refetchInterval: ({ state }) => state.data?.environment.state === 'preparing' && askAgainMs,
});
export const chosenKernelQuery = api.kernels.getChosen.queryOptions({ input: {} });
export const ramTiersQuery = api.kernels.ramTiers.queryOptions({ input: {} });
/** As many as fit into a popover; who has more stops some of them to see the rest. */
export const myServersQuery = api.kernels.myServers.queryOptions({ input: { page: 1, page_size: 10 } });
