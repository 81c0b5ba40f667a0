import type { ExchangeType } from '@atoll/contract/trading/values';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { useSession } from '../session/queries.ts';
import { withPrice, withPrices } from './model.ts';
import { assetKey, bookKey } from './queries.ts';

/** On the pages that show orders and exchanges: they follow what happens to them. */
export function useTradingLive(): void {
  const queryClient = useQueryClient();
  const { id, is_guest } = useSession();
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: api.trading.transactions.key() });
    void queryClient.invalidateQueries({ queryKey: api.trading.balance.key() });
    void queryClient.invalidateQueries({ queryKey: api.trading.connections.key() });
  };
  useTopic('trading', is_guest ? null : { userId: id }, {
    on: { order_changed: refresh, exchange_changed: refresh },
    onJoined: (_joined, isGap) => isGap && refresh(),
  });
}

/** Whether prices come as they change. Null until that is known; false: they are asked for. */
type IsLive = boolean | null;

/** The list of an exchange's markets follows their prices. */
export function useLivePrices(exchange: ExchangeType): IsLive {
  const queryClient = useQueryClient();
  const [isLive, setIsLive] = useState<IsLive>(null);
  useTopic(
    'marketPrices',
    { exchange },
    {
      on: {
        prices_changed: ({ entries }) =>
          queryClient.setQueriesData({ queryKey: api.trading.assets.key() }, withPrices(exchange, entries)),
        source_changed: ({ is_live }) => setIsLive(is_live),
      },
      onJoined: ({ is_live }) => setIsLive(is_live),
      onLost: () => setIsLive(false),
    },
  );
  return isLive;
}

/** The page of one asset follows its price and its order book. */
export function useLiveMarket(asset: string): IsLive {
  const queryClient = useQueryClient();
  const [isLive, setIsLive] = useState<IsLive>(null);
  useTopic(
    'market',
    { asset },
    {
      on: {
        price_changed: (price) => queryClient.setQueryData(assetKey(asset), withPrice(price)),
        book_changed: ({ bids, asks, at }) => queryClient.setQueryData(bookKey(asset), { bids, asks, at }),
        source_changed: ({ is_live }) => setIsLive(is_live),
      },
      onJoined: ({ is_live }) => setIsLive(is_live),
      onLost: () => setIsLive(false),
    },
  );
  return isLive;
}
