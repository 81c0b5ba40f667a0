import type { Book } from '../engine/book.ts';
import { callField, callKinds, callWidth, exitNumbers, orderNumbers } from '../engine/calls.ts';
import type { Simulation } from '../engine/simulation.ts';
import type { OrderOptions } from '../engine/strategy.ts';
import { HostEnded } from '../hosts/host.ts';
import { textOf } from './read-answer.ts';

/** What a strategy called in its process, as rows of numbers, is carried out here: what comes of it is computed here alone. */

/** Of a process that no strategy as it is written would make. */
export const notDecisions = (): HostEnded => new HostEnded('garbage');

/** Each is of a step from `from` up to `end` and of a market of the run, and they are in order. */
export function checkCalls({ books }: Simulation, calls: Float64Array, from: number, end: number): void {
  const most = Object.keys(callKinds).length;
  let before = from;
  for (let at = 0; at < calls.length; at += callWidth) {
    const step = calls[at + callField.step] as number;
    const kind = calls[at + callField.kind] as number;
    const market = calls[at + callField.market] as number;
    const isOrdered = Number.isInteger(step) && step >= before && step < end;
    const isKnown = Number.isInteger(kind) && kind >= 0 && kind < most;
    const isHere = Number.isInteger(market) && market >= 0 && market < books.length;
    if (!isOrdered || !isKnown || !isHere) throw notDecisions();
    before = step;
  }
}

/** One call, at its step. Answers the row of the next one. */
export function carryOut(simulation: Simulation, calls: Float64Array, row: number, reasons: readonly string[]): number {
  const at = row * callWidth;
  const book = simulation.books[calls[at + callField.market] as number] as Book;
  const given = calls[at + callField.given] as number;
  const number = (index: number) => calls[at + callField.numbers + index] as number;
  const reason = reasons[calls[at + callField.reason] as number] ?? '';
  let next = row + 1;
  switch (calls[at + callField.kind]) {
    case callKinds.buy:
    case callKinds.sell: {
      const options: OrderOptions = { reason };
      for (let index = 0; index < orderNumbers.length; index++) {
        if (given & (1 << index)) options[orderNumbers[index] as (typeof orderNumbers)[number]] = number(index);
      }
      simulation.order(book, calls[at + callField.kind] === callKinds.buy, options);
      break;
    }
    case callKinds.cancel:
      simulation.cancel(book, given ? number(0) : undefined);
      break;
    case callKinds.protect: {
      const exits: { stop?: number | null; takeProfit?: number | null } = {};
      for (let index = 0; index < exitNumbers.length; index++) {
        const value = Number.isNaN(number(index)) ? null : number(index);
        if (given & (1 << index)) exits[exitNumbers[index] as (typeof exitNumbers)[number]] = value;
      }
      simulation.protect(book, exits);
      break;
    }
    case callKinds.weights: {
      const shares: Record<string, number> = {};
      for (let each = next * callWidth; calls[each + callField.kind] === callKinds.share; each += callWidth) {
        if (calls[each + callField.step] !== simulation.step) break;
        const { symbol } = (simulation.books[calls[each + callField.market] as number] as Book).market;
        shares[symbol] = calls[each + callField.numbers] as number;
        next++;
      }
      simulation.weights(shares, number(0), reason);
    }
  }
  return next;
}

const mostLogs = 1_000;

export const isCount = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
export const readTexts = (values: unknown, most: number, longest: number): string[] =>
  Array.isArray(values) ? values.slice(0, most).map((each) => textOf(each, longest)) : [];

export function readLogs(simulation: Simulation, { logs, dropped }: { logs?: unknown; dropped?: unknown }): void {
  for (const each of Array.isArray(logs) ? logs.slice(0, mostLogs) : []) {
    const [step, text] = Array.isArray(each) ? each : [];
    if (isCount(step, simulation.times.length - 1)) simulation.log(textOf(text, 10_000), step);
  }
  if (isCount(dropped, Number.MAX_SAFE_INTEGER)) simulation.droppedLogs += dropped;
}
