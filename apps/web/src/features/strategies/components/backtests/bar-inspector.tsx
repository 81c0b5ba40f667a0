import type { BarInspection } from '@atoll/contract/strategies/entity';
import { CloseButton, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../../platform/api-error.ts';
import { minuteWords, moneyWords } from '../../model.ts';
import { barQuery } from '../../queries.ts';
import classes from '../strategies.module.css';
import { ScrollTable, words } from '../table-parts.tsx';

const short = (value: number | null) => (value === null ? 'n/a' : String(Number(value.toPrecision(7))));

/** What the strategy saw at one bar, what it did, and why. */
export function BarInspector(props: { strategyId: string; testId: string; time: number; onClose(): void }) {
  const { data, error } = useQuery(barQuery(props.strategyId, props.testId, props.time));
  return (
    <section className={classes.section} aria-label="What the strategy saw">
      <Group justify="space-between" mb="xs">
        <h2 style={{ margin: 0 }}>What it saw{data && ` at ${minuteWords(data.time)}`}</h2>
        <CloseButton aria-label="Close what it saw" onClick={props.onClose} />
      </Group>
      {error && <Text c="dimmed">{messageOf(error)}</Text>}
      {!data && !error && <Skeleton height={120} />}
      {data && <Bar bar={data} />}
    </section>
  );
}

function Bar({ bar }: { bar: BarInspection }) {
  return (
    <>
      <ScrollTable
        scrollLabel="Bar and indicators"
        columns={['Market', 'Open', 'High', 'Low', 'Close', 'Held', words('Indicators')]}
      >
        {bar.markets.map((market) => (
          <tr key={market.symbol}>
            <td>{market.symbol}</td>
            <td>{moneyWords(market.open)}</td>
            <td>{moneyWords(market.high)}</td>
            <td>{moneyWords(market.low)}</td>
            <td>{moneyWords(market.close)}</td>
            <td>{short(market.position)}</td>
            <td className={classes.words} style={{ whiteSpace: 'normal' }}>
              {market.indicators.map(({ name, value, previous }) => (
                <div key={name}>
                  {name}: {short(value)} <Text span inherit c="dimmed">{`before ${short(previous)}`}</Text>
                </div>
              ))}
            </td>
          </tr>
        ))}
      </ScrollTable>
      <Text size="sm" mt="xs">
        Equity {moneyWords(bar.equity)}, cash {moneyWords(bar.cash)}.
      </Text>
      {bar.fills.map((fill) => (
        <Text size="sm" key={`${fill.order} ${fill.price} ${fill.amount}`}>
          Filled: {fill.side} {short(fill.amount)} {fill.symbol} at {moneyWords(fill.price)}, fee {moneyWords(fill.fee)}
          .
        </Text>
      ))}
      {bar.decisions.length === 0 && (
        <Text size="sm" c="dimmed">
          It decided nothing here.
        </Text>
      )}
      {bar.decisions.map((order) => (
        <Text size="sm" key={order.id}>
          Decided: {order.side} {order.symbol}, {order.type.replace('_', ' ')}
          {order.reason && `, because ${order.reason}`}
          {order.note && ` (${order.note})`}.
        </Text>
      ))}
      {bar.logs.map((line) => (
        <Text size="sm" c="dimmed" key={line}>
          {line}
        </Text>
      ))}
    </>
  );
}
