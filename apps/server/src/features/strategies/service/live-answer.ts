import { orderSides } from '@atoll/contract';
import { orderTypes } from '@atoll/trading';
import type { LiveState } from '@atoll/trading/backtest/live/live-types';
import { z } from 'zod';
import type { Answers } from '../worker/messages.ts';
import { StrategyRefusal } from './process/worker-process.ts';

/** What a strategy may keep between its bars, as JSON. */
const largestState = 1024 ** 2;
const mostDecisions = 2_000;

const number = z.number();
const price = z.number().positive().max(1e15).nullable();
const amount = z.number().nonnegative().max(1e15);
const symbol = z.string().max(61);
const id = z.string().regex(/^[0-9a-f]{32}$/);
const reason = z.string().max(200);
const placing = z.strictObject({
  ...{ kind: z.literal('place'), id, time: number, symbol, side: z.enum(orderSides), type: z.enum(orderTypes) },
  ...{ amount, price, stopPrice: price, reason },
});
const canceling = z.strictObject({ kind: z.literal('cancel'), id, time: number, symbol, order: id, reason });
const order = z.strictObject({
  ...{ placing, filled: amount, stop: price, takeProfit: price, exitOf: id.nullable(), isCanceled: z.boolean() },
  barsLeft: z.int().nullable(),
});
const lot = z.strictObject({
  ...{ symbol, amount, price: number, fee: number, time: number, stop: price, takeProfit: price, reason },
  order: z.union([id, z.literal('')]),
});
const answered = z.object({
  answer: z.object({ decisions: z.array(z.discriminatedUnion('kind', [placing, canceling])).max(mostDecisions) }),
  state: z.strictObject({
    ...{ runId: z.string().max(100), lastTime: number.nullable(), cash: number, sequence: z.int(), random: number },
    ...{ state: z.record(z.string(), z.unknown()), orders: z.array(order).max(5_000), lots: z.array(lot).max(5_000) },
  }),
});

/** What a process in which people's code ran has answered: believed in its form only, and only when it is the one wanted. */
export function readLiveAnswer(answer: Answers['advance']) {
  const refuse = (message: string) => new StrategyRefusal({ code: 'error', message, at: null, line: null });
  const read = answered.safeParse(answer);
  if (!read.success) throw refuse('It answered something that is not a decision and was ended.');
  const { state } = read.data;
  if (JSON.stringify(state).length > largestState) throw refuse('It keeps more than 1 MB in state.');
  return { decisions: read.data.answer.decisions, state: state satisfies LiveState };
}
