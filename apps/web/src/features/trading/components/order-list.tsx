import type { TradingOrder } from '@atoll/contract/trading/entity';
import { tradingOrderStates } from '@atoll/contract/trading/values';
import { Button, NativeSelect, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../../platform/client.ts';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { Pager } from '../../../ui/lists/pager.tsx';
import { TableHead, WaitingRows } from '../../../ui/lists/table.tsx';
import lists from '../../../ui/styles/lists.module.css';
import { toast, toastError } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import { amountWords, priceWords, sideWords, stateWords, typeWords } from '../model.ts';
import { type OrderSearch, ordersCsvUrl, ordersQuery } from '../queries.ts';
import classes from './trading.module.css';

const states = [
  { value: '', label: 'All states' },
  ...tradingOrderStates.map((value) => ({ value, label: stateWords[value] })),
];
const pageSize = 10;
const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short' });

/** Orders, newest first, ten on a page. */
export function OrderList({ search }: { search: OrderSearch }) {
  const [page, setPage] = useState(1);
  const [state, setState] = useState<OrderSearch['state']>();
  const wanted = { ...search, ...(state ? { state } : {}) };
  const { data, error, refetch } = useQuery(ordersQuery(wanted, page));
  if (error && !data) return <LoadProblem error={error} onRetry={refetch} />;
  const open = data?.entries.filter((order) => order.state === 'open' || order.state === 'formed') ?? [];
  return (
    <section aria-label="Orders">
      <div className={lists.tools}>
        <NativeSelect
          aria-label="State"
          data={states}
          value={state ?? ''}
          onChange={(event) => {
            setPage(1);
            setState((event.currentTarget.value || undefined) as OrderSearch['state']);
          }}
        />
        <Button
          component="a"
          href={ordersCsvUrl(wanted)}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          CSV
        </Button>
        {open.length > 1 && <CancelAll orders={open} />}
      </div>
      {data?.entries.length === 0 ? (
        <EmptyState>
          <Text c="dimmed">
            {state ? 'No order is in this state.' : 'No orders yet. Choose a market to place one.'}
          </Text>
        </EmptyState>
      ) : (
        <div className={lists.scroll}>
          <table className={classes.table} data-orders>
            <TableHead columns={['Order', 'Amount', 'Price', 'State', { name: 'Actions', isHidden: true }]} />
            <tbody>
              {data ? (
                data.entries.map((order) => <OrderRow key={order.id} order={order} />)
              ) : (
                <WaitingRows columns={5} height={120} />
              )}
            </tbody>
          </table>
        </div>
      )}
      {data && <Pager page={page} pages={Math.ceil(data.total / pageSize)} onChange={setPage} mt="md" />}
    </section>
  );
}

function CancelAll({ orders }: { orders: TradingOrder[] }) {
  const queryClient = useQueryClient();
  const connections = [...new Set(orders.map(({ connection_id }) => connection_id))];
  const cancel = useMutation({
    mutationFn: () => Promise.all(connections.map((connection_id) => client.trading.cancelAll({ connection_id }))),
    onSuccess: (answers) => {
      const canceled = answers.reduce((total, answer) => total + answer.canceled, 0);
      toast(`${canceled} ${canceled === 1 ? 'order' : 'orders'} canceled.`);
    },
    onError: (error) => toastError(error, 'Could not cancel the orders'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.trading.key() }),
  });
  return (
    <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel all
    </Button>
  );
}

function OrderRow({ order }: { order: TradingOrder }) {
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => client.trading.cancel({ id: order.id }),
    onError: (error) => toastError(error, 'Could not cancel the order'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.trading.key() }),
  });
  const isUnfinished = order.state === 'open' || order.state === 'formed';
  const [base] = order.symbol.split('/');
  const isPartly = order.filled !== '0' && order.state !== 'closed';
  return (
    <tr data-state={order.state}>
      <td>
        <span data-side={order.side}>{sideWords[order.side]}</span> <strong>{order.symbol}</strong>{' '}
        <EnvironmentBadge environment={order.environment} />
        <span className={classes.note}>
          {typeWords[order.type]} · <time dateTime={order.created_at}>{when.format(new Date(order.created_at))}</time>
          {order.source === 'foreign' && ' · placed elsewhere'}
        </span>
      </td>
      <td>
        {amountWords(order.amount)} {base}
        {isPartly && <span className={classes.note}>{`${amountWords(order.filled)} filled`}</span>}
      </td>
      <td>
        {priceWords(order.average ?? order.price ?? order.stop_price)}
        {order.stop_price && <span className={classes.note}>{`Stop ${priceWords(order.stop_price)}`}</span>}
      </td>
      <td>
        {order.is_unclear ? 'Asking the exchange' : stateWords[order.state]}
        {order.reason && <span className={classes.note}>{order.reason}</span>}
      </td>
      <td>
        {isUnfinished && (
          <Button variant="default" size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
      </td>
    </tr>
  );
}
