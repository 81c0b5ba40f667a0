import type { ExchangeConnection, MarketRules, TradingOrder } from '@atoll/contract/trading/entity';
import { exchangeInfo, tradingOrderTypes } from '@atoll/contract/trading/values';
import { amountFor, reckonedPrice, sizeProblems } from '@atoll/trading/sizes';
import { Alert, Button, Group, Modal, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { toast } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import { amountWords, marketOf, priceWords, sideWords, stateWords, typeWords } from '../model.ts';
import { balanceQuery } from '../queries.ts';
import classes from './token.module.css';

type Unit = 'base' | 'quote' | 'percent';

interface TradeFormProps {
  rules: MarketRules;
  last: string;
  connections: ExchangeConnection[];
  /** Taken from the order book. */
  picked: string | null;
}

const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text);

/** An order, with what it costs and whether it will be taken, before it is sent. */
export function TradeForm({ rules, last, connections, picked }: TradeFormProps) {
  const [connectionId, setConnectionId] = useState(connections[0]?.id ?? '');
  const connection = connections.find(({ id }) => id === connectionId) ?? connections[0];
  const [side, setSide] = useState<TradingOrder['side']>('buy');
  const [type, setType] = useState<TradingOrder['type']>('market');
  const [unit, setUnit] = useState<Unit>('base');
  const [size, setSize] = useState('');
  const [price, setPrice] = useState('');
  const [stopPrice, setStopPrice] = useState('');
  const [isConfirming, setIsConfirming] = useState(false);
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const market = marketOf(rules);
  const hasPrice = type === 'limit' || type === 'stop_limit';
  const hasStop = type !== 'market' && type !== 'limit';

  useEffect(() => {
    if (!picked) return;
    setPrice(picked);
    setType((now) => (now === 'market' ? 'limit' : now));
  }, [picked]);

  const balances = useQuery({ ...balanceQuery(connection?.id ?? ''), enabled: connection !== undefined });
  const freeOf = (asset: string) => balances.data?.entries.find((each) => each.asset === asset)?.free ?? '0';

  const asked = {
    type,
    price: hasPrice && isNumber(price) ? price : null,
    stopPrice: hasStop && isNumber(stopPrice) ? stopPrice : null,
  };
  const amount = amountOf();
  function amountOf(): string {
    if (!isNumber(size)) return '0';
    const at = reckonedPrice(asked, last);
    if (unit === 'base') return size;
    if (unit === 'quote') return amountFor(market, size, at);
    const share = Math.min(Number(size), 100) / 100;
    if (side === 'sell') return amountFor(market, String(Number(freeOf(rules.base)) * share), '1');
    return amountFor(market, String(Number(freeOf(rules.quote)) * share * 0.998), at);
  }
  const problems = size === '' ? [] : sizeProblems(market, { ...asked, amount }, last);
  const problemOf = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const isComplete = size !== '' && problems.length === 0;

  const order = {
    connection_id: connection?.id ?? '',
    ...{ symbol: rules.symbol, side, type, amount, price: asked.price, stop_price: asked.stopPrice },
  };
  const [settled] = useDebouncedValue(JSON.stringify(order), 250);
  const preview = useQuery({
    ...api.trading.preview.queryOptions({ input: JSON.parse(settled) as typeof order }),
    enabled: isComplete && settled === JSON.stringify(order),
    placeholderData: keepPreviousData,
    retry: false,
  });

  const place = useMutation({
    mutationFn: () => client.trading.order({ ...order, request_id: requestId }),
    onSuccess: (placed) => {
      setRequestId(crypto.randomUUID());
      setSize('');
      setIsConfirming(false);
      toast(
        placed.state === 'rejected'
          ? `Rejected: ${placed.reason}`
          : `${sideWords[placed.side]} ${amountWords(placed.amount)} ${rules.base}: ${stateWords[placed.state].toLowerCase()}.`,
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.trading.key() }),
  });
  if (!connection)
    return (
      <Stack align="flex-start">
        <Text size="sm" c="dimmed">
          Connect this exchange to trade here.
        </Text>
        <LinkButton to="/exchanges" variant="default" size="xs">
          Exchanges
        </LinkButton>
      </Stack>
    );
  const { environment } = connection;
  const paying = side === 'buy' ? rules.quote : rules.base;
  const answer = isComplete ? preview.data : undefined;
  const refusal = answer?.problems[0]?.message;
  const send = () => (environment === 'live' ? setIsConfirming(true) : place.mutate());
  return (
    <form
      className={classes.trade}
      aria-label="Place an order"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !refusal && !place.isPending) send();
      }}
    >
      <div className={classes.tradeHead}>
        {connections.length > 1 ? (
          <NativeSelect
            aria-label="Connection"
            size="xs"
            data={connections.map(({ id, label, type: each }) => ({
              value: id,
              label: label || exchangeInfo[each].name,
            }))}
            value={connection.id}
            onChange={(event) => setConnectionId(event.currentTarget.value)}
          />
        ) : (
          <strong>{connection.label || exchangeInfo[connection.type].name}</strong>
        )}
        <EnvironmentBadge environment={environment} />
      </div>
      <SegmentedControl
        fullWidth
        aria-label="Side"
        data={[
          { value: 'buy', label: 'Buy' },
          { value: 'sell', label: 'Sell' },
        ]}
        color={side === 'buy' ? 'success' : 'danger'}
        value={side}
        onChange={(value) => setSide(value as TradingOrder['side'])}
      />
      <NativeSelect
        label="Type"
        data={tradingOrderTypes.map((value) => ({ value, label: typeWords[value] }))}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as TradingOrder['type'])}
      />
      {hasStop && (
        <TextInput
          label={`Stop price, ${rules.quote}`}
          inputMode="decimal"
          value={stopPrice}
          error={problemOf('stopPrice')}
          onChange={(event) => setStopPrice(event.currentTarget.value.trim())}
        />
      )}
      {hasPrice && (
        <TextInput
          label={`Price, ${rules.quote}`}
          inputMode="decimal"
          value={price}
          error={problemOf('price')}
          onChange={(event) => setPrice(event.currentTarget.value.trim())}
        />
      )}
      <div className={classes.size}>
        <TextInput
          label="Amount"
          inputMode="decimal"
          value={size}
          error={size !== '' && !isNumber(size) ? 'Enter a number' : problemOf('amount')}
          onChange={(event) => setSize(event.currentTarget.value.trim())}
        />
        <NativeSelect
          aria-label="Amount in"
          data={[
            { value: 'base', label: rules.base },
            { value: 'quote', label: rules.quote },
            { value: 'percent', label: '%' },
          ]}
          value={unit}
          onChange={(event) => {
            setUnit(event.currentTarget.value as Unit);
            setSize('');
          }}
        />
      </div>
      <div className={classes.shares}>
        {[25, 50, 75, 100].map((share) => (
          <Button
            key={share}
            variant="default"
            size="compact-xs"
            onClick={() => {
              setUnit('percent');
              setSize(String(share));
            }}
          >
            {share} %
          </Button>
        ))}
        <Text size="xs" c="dimmed">{`${amountWords(freeOf(paying))} ${paying} free`}</Text>
      </div>
      <dl className={classes.effect} aria-busy={preview.isFetching} aria-label="What it costs">
        <dt>Amount</dt>
        <dd>{answer ? `${amountWords(amount)} ${rules.base}` : '–'}</dd>
        <dt>About</dt>
        <dd>{answer ? `${priceWords(answer.value)} ${rules.quote}` : '–'}</dd>
        <dt>Fee, about</dt>
        <dd>{answer ? `${priceWords(answer.fee)} ${rules.quote}` : '–'}</dd>
        <dt>{`${paying} after`}</dt>
        <dd>{answer?.balance_after ? amountWords(answer.balance_after) : '–'}</dd>
      </dl>
      {refusal && (
        <Alert color="warning" role="alert">
          {refusal}
        </Alert>
      )}
      {place.error && (
        <Alert color="danger" role="alert">
          {messageOf(place.error)}
        </Alert>
      )}
      <Button
        type="submit"
        fullWidth
        color={side === 'buy' ? 'success' : 'danger'}
        disabled={!isComplete || refusal !== undefined}
        loading={place.isPending}
      >
        {sideWords[side]} {rules.base}
      </Button>
      <Modal opened={isConfirming} onClose={() => setIsConfirming(false)} title={`${sideWords[side]} ${rules.base}`}>
        <Stack>
          <Text>
            <EnvironmentBadge environment={environment} /> {sideWords[side]} {amountWords(amount)} {rules.base} on{' '}
            {exchangeInfo[connection.type].name} for about {answer ? priceWords(answer.value) : '–'} {rules.quote}. This
            is real money.
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setIsConfirming(false)}>
              Back
            </Button>
            <Button color="danger" loading={place.isPending} onClick={() => place.mutate()}>
              {sideWords[side]} with real money
            </Button>
          </Group>
        </Stack>
      </Modal>
    </form>
  );
}
