import type { TradingAsset } from '@atoll/contract/trading/entity';
import { type ExchangeType, exchangeInfo } from '@atoll/contract/trading/values';
import { ActionIcon, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client } from '../../../platform/client.ts';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { TableHead, WaitingRows } from '../../../ui/lists/table.tsx';
import lists from '../../../ui/styles/lists.module.css';
import { toastError } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import { useLivePrices } from '../live.ts';
import { changeWords, compactWords, priceWords } from '../model.ts';
import { assetsQuery, connectionsQuery } from '../queries.ts';
import { PriceSource } from './price-source.tsx';
import classes from './trading.module.css';

export function MarketList({ exchange }: { exchange: ExchangeType }) {
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const isLive = useLivePrices(exchange);
  const { data, error, refetch } = useQuery(assetsQuery(exchange, wanted, isLive));
  const connections = useQuery(connectionsQuery);
  const navigate = useNavigate();
  const types = [...new Set(connections.data?.entries.map(({ type }) => type) ?? ['demo' as const])];
  const favorites = data?.entries.filter(({ is_favorite }) => is_favorite) ?? [];
  const others = data?.entries.filter(({ is_favorite }) => !is_favorite) ?? [];
  return (
    <>
      <div className={lists.tools}>
        <TextInput
          aria-label="Search markets"
          placeholder="Search markets"
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {types.length > 1 && (
          <NativeSelect
            aria-label="Exchange"
            data={types.map((value) => ({ value, label: exchangeInfo[value].name }))}
            value={exchange}
            onChange={(event) =>
              void navigate({
                to: '/exchanges',
                search: { tab: 'markets', exchange: event.currentTarget.value as ExchangeType },
              })
            }
          />
        )}
        <EnvironmentBadge environment={exchangeInfo[exchange].environment} />
        <PriceSource isLive={isLive} />
      </div>
      {error && !data ? (
        <LoadProblem error={error} onRetry={refetch} />
      ) : data?.entries.length === 0 ? (
        <EmptyState>
          <Text c="dimmed">No market matches “{wanted}”.</Text>
        </EmptyState>
      ) : (
        <div className={lists.scroll}>
          <table className={classes.table}>
            <TableHead
              columns={[
                { name: 'Favorite', isHidden: true },
                'Market',
                'Price',
                '24 h',
                { name: 'Volume', isWide: true },
                { name: 'Market cap', isWide: true },
              ]}
            />
            <tbody>
              {data ? (
                [...favorites, ...others].map((asset) => <AssetRow key={asset.id} asset={asset} />)
              ) : (
                <WaitingRows columns={6} height={240} />
              )}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function AssetRow({ asset }: { asset: TradingAsset }) {
  const queryClient = useQueryClient();
  const toggle = useMutation({
    mutationFn: () =>
      asset.is_favorite ? client.trading.unfavorite({ id: asset.id }) : client.trading.favorite({ id: asset.id }),
    onError: (error) => toastError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.trading.assets.key() }),
  });
  const Star = asset.is_favorite ? IconStarFilled : IconStar;
  return (
    <tr>
      <td>
        <ActionIcon
          color={asset.is_favorite ? 'warning' : 'gray'}
          aria-label={`${asset.is_favorite ? 'Remove' : 'Add'} ${asset.symbol} ${asset.is_favorite ? 'from' : 'to'} favorites`}
          aria-pressed={asset.is_favorite}
          onClick={() => toggle.mutate()}
        >
          <Star size={16} />
        </ActionIcon>
      </td>
      <td>
        <TextLink to="/tokens/$id" params={{ id: asset.id }} c="inherit" underline="hover">
          <strong>{asset.symbol}</strong> <span className={classes.dim}>{asset.name}</span>
        </TextLink>
      </td>
      <td>{priceWords(asset.price)}</td>
      <td data-direction={(asset.change ?? 0) < 0 ? 'down' : 'up'}>{changeWords(asset.change)}</td>
      <td data-wide>{compactWords(asset.volume)}</td>
      <td data-wide>{compactWords(asset.market_cap)}</td>
    </tr>
  );
}
