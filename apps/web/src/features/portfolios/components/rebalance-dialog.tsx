import type { PortfolioDetail, RebalancePlan } from '@atoll/contract/portfolios/entity';
import type { TradingOrder } from '@atoll/contract/trading/entity';
import { exchangeInfo } from '@atoll/contract/trading/values';
import { Alert, Button, Group, Modal, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { TableHead } from '../../../ui/lists/table.tsx';
import { EnvironmentBadge } from '../../trading/environment-badge.tsx';
import { amountWords, priceWords, sideWords, stateWords } from '../../trading/model.ts';
import { shareWords } from '../model.ts';
import { rebalanceQuery } from '../queries.ts';
import classes from './portfolios.module.css';

/** The orders that bring it to its targets, with the shares before and after; then what became of each order. */
export function RebalanceDialog({ portfolio, onClose }: { portfolio: PortfolioDetail; onClose(): void }) {
  const { id, connections } = portfolio;
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
        {place.data ? (
          <PlacedOrders {...place.data} />
        ) : error ? (
          <Text role="alert">{messageOf(error)}</Text>
        ) : data ? (
          <Plan plan={data} asset={portfolio.trade_asset} />
        ) : (
          <Skeleton height={80} />
        )}
        {data && <Shares shares={data.shares} isDone={place.data !== undefined} />}
        {place.error && (
          <Alert color="danger" role="alert">
            {messageOf(place.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          {place.data ? (
            <Button onClick={onClose}>Done</Button>
          ) : (
            <>
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button disabled={!data?.orders.length} loading={place.isPending} onClick={() => place.mutate()}>
                Place orders
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function Plan({ plan: { orders, skipped }, asset }: { plan: RebalancePlan; asset: string }) {
  return (
    <>
      {orders.length === 0 ? (
        <Text c="dimmed">It is as near to its targets as the market allows.</Text>
      ) : (
        <table className={classes.table}>
          <TableHead columns={['Order', 'Amount', `About, ${asset}`]} />
          <tbody>
            {orders.map(({ symbol, side, amount, value }) => (
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
      {skipped.map(({ asset: of, reason }) => (
        <Text key={of} size="sm" c="dimmed">{`${of}: ${reason}`}</Text>
      ))}
    </>
  );
}

function PlacedOrders({ orders, problem }: { orders: TradingOrder[]; problem: string | null }) {
  return (
    <>
      {problem && (
        <Alert color="danger" role="alert">
          {`Stopped: ${problem}`}
        </Alert>
      )}
      <Text role="status">{`${orders.length} ${orders.length === 1 ? 'order' : 'orders'} placed.`}</Text>
      <table className={classes.table}>
        <TableHead columns={['Order', 'Filled', 'State']} />
        <tbody>
          {orders.map(({ id, symbol, side, amount, filled, state }) => (
            <tr key={id}>
              <td>
                {sideWords[side]} {symbol}
              </td>
              <td>
                {amountWords(filled)} of {amountWords(amount)}
              </td>
              <td>{stateWords[state]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Shares({ shares, isDone }: { shares: RebalancePlan['shares']; isDone: boolean }) {
  if (shares.length === 0) return null;
  return (
    <table className={classes.table} aria-label="Shares">
      <TableHead columns={isDone ? ['Asset', 'Now', 'Target'] : ['Asset', 'Now', 'After', 'Target']} />
      <tbody>
        {shares.map(({ asset, now, planned, target }) => (
          <tr key={asset}>
            <td>{asset}</td>
            <td>{shareWords(now)}</td>
            {!isDone && <td>{shareWords(planned)}</td>}
            <td>{shareWords(target)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
