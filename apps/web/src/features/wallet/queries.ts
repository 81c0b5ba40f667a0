import { api } from '../../platform/client.ts';
import { apiBase } from '../../platform/http.ts';
import { type WalletSearch, walletFilterOf } from './model.ts';

export const walletQuery = (search: WalletSearch) =>
  api.wallet.get.infiniteOptions({
    input: (before: number | undefined) => ({ ...walletFilterOf(search), before, page_size: 20 }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export const csvUrl = (search: WalletSearch): string =>
  `${apiBase()}/v1/wallet/csv?${new URLSearchParams(walletFilterOf(search))}`;

export const purchaseInfoQuery = api.payments.info.queryOptions({ input: {} });

/** Told live; asked too, for those whose connection is gone. */
const askAgainMs = 5_000;
export const purchaseQuery = (id: string) =>
  api.payments.get.queryOptions({
    input: { id },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? askAgainMs : false),
  });
