import type { Order } from './engine/order.ts';
import { causes, tradeField } from './engine/result-tables.ts';
import type { Simulation } from './engine/simulation.ts';
import type { OrderRecord, Trade } from './job.ts';

const mostTrades = 5_000;

/** Of closed trades, by what they cost. */
export function tradeShares({ trades }: Simulation): number[] {
  return Array.from({ length: trades.count }, (_, row) => {
    const cost = trades.get(row, tradeField.amount) * trades.get(row, tradeField.entryPrice);
    return trades.get(row, tradeField.result) / cost;
  });
}

export function tradesOf(simulation: Simulation): Trade[] {
  const { trades, times, reasons, books } = simulation;
  const symbolOf = (index: number) => books[index]?.market.symbol ?? '';
  const timeOf = (step: number) => times[step] as number;
  const closed = Array.from({ length: Math.min(trades.count, mostTrades) }, (_, row): Trade => {
    const cause = causes[trades.get(row, tradeField.cause) as 1 | 2 | 3] as Trade['cause'];
    const amount = trades.get(row, tradeField.amount);
    const entryPrice = trades.get(row, tradeField.entryPrice);
    const entryStep = trades.get(row, tradeField.entryStep);
    const exitStep = trades.get(row, tradeField.exitStep);
    const result = trades.get(row, tradeField.result);
    return {
      symbol: symbolOf(trades.get(row, tradeField.market)),
      amount,
      entryTime: timeOf(entryStep),
      entryPrice,
      entryReason: reasons[trades.get(row, tradeField.entryReason)] ?? '',
      exitTime: timeOf(exitStep),
      exitPrice: trades.get(row, tradeField.exitPrice),
      exitReason: cause === 'sell' ? (reasons[trades.get(row, tradeField.exitReason)] ?? '') : '',
      cause,
      result,
      share: result / (amount * entryPrice),
      fees: trades.get(row, tradeField.fees),
      bars: exitStep - entryStep,
    };
  });
  const open = books.flatMap((book) =>
    book.lots.slice(0, mostTrades - closed.length).map((lot): Trade => {
      const price = simulation.closeOf(book);
      const result = lot.amount * (price - lot.price) - lot.fee;
      return {
        ...{ symbol: book.market.symbol, amount: lot.amount, entryPrice: lot.price, exitPrice: price, result },
        ...{ entryTime: timeOf(lot.step), exitTime: null, cause: 'end', fees: lot.fee },
        ...{ entryReason: reasons[lot.reason] ?? '', exitReason: '' },
        share: result / (lot.amount * lot.price),
        bars: simulation.step - lot.step,
      };
    }),
  );
  return [...closed, ...open];
}

export function orderRecord(simulation: Simulation, order: Order): OrderRecord {
  const { books, times, length } = simulation;
  const shown = (value: number) => (Number.isNaN(value) ? null : value);
  return {
    id: order.id,
    symbol: books[order.market]?.market.symbol ?? '',
    side: order.side,
    type: order.type,
    state: order.state,
    time: (times[order.step] as number) + length,
    amount: order.amount > 0 ? order.amount : null,
    quote: order.budget > 0 ? order.budget : null,
    limit: shown(order.limit),
    trigger: shown(order.trigger),
    filled: order.filled,
    price: shown(order.price),
    filledTime: order.filledStep < 0 ? null : (times[order.filledStep] as number),
    fee: order.fee,
    reason: order.reason,
    note: order.note,
  };
}
