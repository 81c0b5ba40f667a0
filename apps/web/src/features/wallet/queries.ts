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
