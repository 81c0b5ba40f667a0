import type { BacktestResult } from '@atoll/contract/strategies/entity';
import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { Pager } from '../../../../ui/lists/pager.tsx';
import { minuteWords, moneyWords, percentWords } from '../../model.ts';
import classes from '../strategies.module.css';
import { ScrollTable, words } from '../table-parts.tsx';

const causes = { sell: 'Sold', stop: 'Stop', take_profit: 'Take-profit', end: 'Still held' } as const;
const rowsOnPage = 20;

function usePage<Each>(all: Each[]) {
  const [page, setPage] = useState(1);
  const pages = Math.ceil(all.length / rowsOnPage);
  const pager = <Pager page={page} pages={pages} onChange={setPage} />;
  return { rows: all.slice((page - 1) * rowsOnPage, page * rowsOnPage), pager };
}

export function Trades({ result, onBar }: { result: BacktestResult; onBar(time: number): void }) {
  const { rows, pager } = usePage(result.trades);
  return (
    <section className={classes.section} aria-label="Trades">
      <h2>Trades</h2>
      {result.trades.length === 0 && (
        <Alert color="warning">It never traded. Look at its parameters, or at the logs below.</Alert>
      )}
      {result.trades.length > 0 && (
        <ScrollTable
          scrollLabel="List of trades"
          columns={['Entry', 'Market', 'Amount', 'Entry price', 'Exit', 'Exit price', 'Result', '%', words('Reason')]}
        >
          {rows.map((trade) => (
            <tr key={`${trade.symbol} ${trade.entry_time} ${trade.exit_time} ${trade.amount} ${trade.entry_price}`}>
              <td>
                <button type="button" className={classes.rowButton} onClick={() => onBar(trade.entry_time)}>
                  {minuteWords(trade.entry_time)}
                </button>
              </td>
              <td>{trade.symbol}</td>
              <td>{Number(trade.amount.toPrecision(6))}</td>
              <td>{moneyWords(trade.entry_price)}</td>
              <td>{trade.exit_time === null ? causes.end : minuteWords(trade.exit_time)}</td>
              <td>{moneyWords(trade.exit_price)}</td>
              <td data-direction={trade.result < 0 ? 'down' : 'up'}>{moneyWords(trade.result)}</td>
              <td data-direction={trade.result < 0 ? 'down' : 'up'}>{percentWords(trade.share)}</td>
              <td className={classes.words}>
                {[trade.entry_reason, causes[trade.cause], trade.exit_reason].filter(Boolean).join(' · ')}
              </td>
            </tr>
          ))}
        </ScrollTable>
      )}
      {pager}
      {result.trade_count > result.trades.length && (
        <Text size="xs" c="dimmed">
          {result.trades.length} of {result.trade_count} trades are kept.
        </Text>
      )}
    </section>
  );
}

export function Orders({ result }: { result: BacktestResult }) {
  const refused = result.orders.filter(({ state }) => state === 'rejected');
  const { rows, pager } = usePage(refused);
  if (result.rejected_count === 0) return null;
  return (
    <section className={classes.section} aria-label="Rejected orders">
      <h2>{result.rejected_count} rejected orders</h2>
      <ScrollTable
        scrollLabel="List of rejected orders"
        columns={['Decided', 'Market', 'Side', words('Why it was rejected')]}
      >
        {rows.map((order) => (
          <tr key={order.id}>
            <td>{minuteWords(order.time)}</td>
            <td>{order.symbol}</td>
            <td>{order.side}</td>
            <td className={classes.words}>{order.note}</td>
          </tr>
        ))}
      </ScrollTable>
      {pager}
    </section>
  );
}

export function Data({ result }: { result: BacktestResult }) {
  const holed = result.data.filter(({ missing_bars, zero_volume_bars }) => missing_bars + zero_volume_bars > 0);
  if (holed.length === 0) return null;
  return (
    <Alert color="warning" mb="md" title="The data has holes">
      {holed.map(({ symbol, missing_bars, zero_volume_bars, gaps }) => (
        <div key={symbol}>
          {symbol}: {missing_bars} bars are missing
          {gaps[0] && `, the longest gap from ${minuteWords(gaps[0].from)} (${gaps[0].bars} bars)`}
          {zero_volume_bars > 0 && `; nothing was traded in ${zero_volume_bars}`}.
        </div>
      ))}
    </Alert>
  );
}

export function Logs({ result }: { result: BacktestResult }) {
  if (result.logs.length === 0) return null;
  return (
    <section className={classes.section} aria-label="Log">
      <h2>Log</h2>
      <pre className={classes.log}>
        {result.logs.map(({ time, text }) => `${minuteWords(time)}  ${text}`).join('\n')}
        {result.dropped_logs > 0 && `\n… and ${result.dropped_logs} more`}
      </pre>
    </section>
  );
}
