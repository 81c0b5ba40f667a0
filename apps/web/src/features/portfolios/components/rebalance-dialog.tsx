import type { PortfolioDetail } from '@atoll/contract/portfolios/entity';
import { exchangeInfo } from '@atoll/contract/trading/values';
import { Alert, Button, Group, Modal, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { TableHead } from '../../../ui/lists/table.tsx';
import { toast } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../../trading/environment-badge.tsx';
import { amountWords, priceWords, sideWords } from '../../trading/model.ts';
import { rebalanceQuery } from '../queries.ts';
import classes from './portfolios.module.css';

/** The orders that bring it to its targets, shown before they are placed. */
export function RebalanceDialog({ portfolio, onClose }: { portfolio: PortfolioDetail; onClose(): void }) {
  const { id, connections, trade_asset } = portfolio;
  const [connectionId, setConnectionId] = useState(connections[0]?.id ?? '');
  const [requestId] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const { data, error } = useQuery(rebalanceQuery(id, connectionId));
  const connection = connections.find((each) => each.id === connectionId);
  const place = useMutation({
    mutationFn: () =>
      client.portfolios.rebalance({
        id,
        connection_id: connectionId,
        request_id: requestId,
        orders: (data?.orders ?? []).map(({ symbol, side, amount }) => ({ symbol, side, amount })),
      }),
    onSuccess: ({ orders, problem }) => {
      toast(problem ? `Stopped: ${problem}` : `${orders.length} ${orders.length === 1 ? 'order' : 'orders'} placed.`);
      onClose();
    },
    onSettled: () =>
      Promise.all(
        [api.portfolios.key(), api.trading.key()].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <Modal opened onClose={onClose} title="Rebalance">
      <Stack>
        <div className={classes.row}>
          {connections.length > 1 ? (
            <NativeSelect
              aria-label="Connection"
              data={connections.map((each) => ({ value: each.id, label: each.label || exchangeInfo[each.type].name }))}
              value={connectionId}
              onChange={(event) => setConnectionId(event.currentTarget.value)}
            />
          ) : (
            <strong>{connection && (connection.label || exchangeInfo[connection.type].name)}</strong>
          )}
          {connection && <EnvironmentBadge environment={exchangeInfo[connection.type].environment} />}
        </div>
        {error ? (
          <Text role="alert">{messageOf(error)}</Text>
        ) : !data ? (
          <Skeleton height={80} />
        ) : data.orders.length === 0 ? (
          <Text c="dimmed">It is as near to its targets as the market allows.</Text>
        ) : (
          <table className={classes.table}>
            <TableHead columns={['Order', 'Amount', `About, ${trade_asset}`]} />
            <tbody>
              {data.orders.map(({ symbol, side, amount, value }) => (
                <tr key={symbol}>
                  <td>
                    {sideWords[side]} {symbol}
                  </td>
                  <td>{amountWords(amount)}</td>
                  <td>{priceWords(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {data?.skipped.map(({ asset, reason }) => (
          <Text key={asset} size="sm" c="dimmed">{`${asset}: ${reason}`}</Text>
        ))}
        {place.error && (
          <Alert color="danger" role="alert">
            {messageOf(place.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button disabled={!data?.orders.length} loading={place.isPending} onClick={() => place.mutate()}>
            Place orders
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
