import type { Market } from '@atoll/trading';
import type { Decision } from '@atoll/trading/backtest/live/live-types';
import type { Context, Write } from '../../../platform/context.ts';
import { marketsOf } from '../../trading/service/markets.ts';
import type { RunRow } from '../table.ts';
import { readBooks, stepOf } from './books.ts';
import { advanceKind, closingId, decisionId, refuseOpen, storeDecisions } from './decisions.ts';
import { exchangeOf } from './runs.ts';

/** Before those of bars: whoever stops wants out. */
const priority = 10;

/** Answers how to close a run within a transaction; what it needs to know of the exchange is asked for before. */
export async function preparedClosing(ctx: Context, run: RunRow): Promise<(write: Write) => Promise<void>> {
  const known = await marketsOf(ctx, exchangeOf(run.settings));
  return (write) => closePositions(ctx, write, run, known);
}

/**
 * Cancels what waits and sells what it holds, by what was really filled: the strategy may not have been told of all of it.
 * What was decided and not ordered yet is not ordered any more.
 */
async function closePositions(ctx: Context, write: Write, run: RunRow, known: Map<string, Market>): Promise<void> {
  const { tx, enqueue } = write;
  await refuseOpen(write, run.id, 'The run was stopped.');
  const { waiting, holdings } = await readBooks(tx, run, known);
  const shared = { time: (run.lastBar ?? 0) + 1, reason: 'Stopped' };
  const decisions: Decision[] = [
    ...waiting.map(({ decisionId: id, order: { symbol } }): Decision => {
      return { ...shared, kind: 'cancel', id: decisionId(run.id, 'cancel', id), symbol, order: id };
    }),
    ...[...holdings].flatMap(([symbol, { amount }]): Decision[] => {
      if (amount < stepOf(known, symbol)) return [];
      const order = { symbol, side: 'sell', type: 'market', price: null, stopPrice: null } as const;
      return [{ ...shared, kind: 'place', id: closingId(run.id, symbol), amount, ...order }];
    }),
  ];
  await storeDecisions(ctx, tx, run.id, decisions);
  await enqueue(advanceKind, { run_id: run.id }, { key: run.id, priority });
}
