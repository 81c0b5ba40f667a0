import type { Book } from './book.ts';
import {
  callField,
  callKinds,
  callWidth,
  exitNumbers,
  longestReason,
  mostCallReasons,
  mostReasonText,
  orderNumbers,
} from './calls.ts';
import { Simulation } from './simulation.ts';
import type { OrderOptions } from './strategy.ts';
import { Table } from './table.ts';

/**
 * A pass of a strategy in the process where it runs. What it computes of fills and money is what the strategy sees of its own;
 * what leaves the process are the calls, from which everything is computed again.
 */
export class Recorder extends Simulation {
  readonly calls = new Table(callWidth);
  readonly callReasons: string[] = [''];
  readonly #reasonIndex = new Map<string, number>();
  #reasonText = 0;

  #add(kind: number, market: number, reason: unknown): number {
    const at = this.calls.add();
    const { data } = this.calls;
    data[at + callField.step] = this.step;
    data[at + callField.kind] = kind;
    data[at + callField.market] = market;
    data[at + callField.given] = 0;
    data[at + callField.reason] = this.#indexOfReason(reason);
    data.fill(0, at + callField.numbers, at + callWidth);
    return at;
  }
  #indexOfReason(reason: unknown): number {
    if (typeof reason !== 'string' || reason === '') return 0;
    const text = reason.slice(0, longestReason);
    const known = this.#reasonIndex.get(text);
    if (known !== undefined) return known;
    if (this.callReasons.length >= mostCallReasons || this.#reasonText + text.length > mostReasonText) return 0;
    this.#reasonText += text.length;
    this.callReasons.push(text);
    this.#reasonIndex.set(text, this.callReasons.length - 1);
    return this.callReasons.length - 1;
  }

  override order(book: Book, isBuy: boolean, options: OrderOptions): number {
    if (options === null || typeof options !== 'object') return super.order(book, isBuy, options);
    // Read once: what is carried out here and what is written down are the same.
    const plain: Record<string, unknown> = { reason: options.reason };
    let given = 0;
    for (let index = 0; index < orderNumbers.length; index++) {
      const name = orderNumbers[index] as (typeof orderNumbers)[number];
      const value: unknown = options[name];
      if (value === undefined) continue;
      given |= 1 << index;
      plain[name] = typeof value === 'number' ? value : Number.NaN;
    }
    const id = super.order(book, isBuy, plain);
    const at = this.#add(isBuy ? callKinds.buy : callKinds.sell, book.index, plain.reason);
    const { data } = this.calls;
    data[at + callField.given] = given;
    for (let index = 0; index < orderNumbers.length; index++) {
      if (given & (1 << index)) {
        data[at + callField.numbers + index] = plain[orderNumbers[index] as string] as number;
      }
    }
    return id;
  }

  override cancel(book: Book, id?: number): void {
    const wanted = id === undefined ? undefined : typeof id === 'number' ? id : Number.NaN;
    super.cancel(book, wanted);
    const at = this.#add(callKinds.cancel, book.index, '');
    if (wanted === undefined) return;
    this.calls.data[at + callField.given] = 1;
    this.calls.data[at + callField.numbers] = wanted;
  }

  override protect(book: Book, exits: { stop?: number | null; takeProfit?: number | null }): void {
    const { stop, takeProfit } = exits;
    const plain = { stop, takeProfit };
    super.protect(book, plain as typeof exits);
    const at = this.#add(callKinds.protect, book.index, '');
    const { data } = this.calls;
    for (let index = 0; index < exitNumbers.length; index++) {
      const value = plain[exitNumbers[index] as (typeof exitNumbers)[number]];
      if (value === undefined) continue;
      (data[at + callField.given] as number) += 1 << index;
      // Null takes one away.
      data[at + callField.numbers + index] = value ?? Number.NaN;
    }
  }

  override weights(shares: Readonly<Record<string, number>>, drift: number, reason: string): void {
    const plain: Record<string, number> = Object.fromEntries(Object.entries(shares));
    const least = typeof drift === 'number' ? drift : Number.NaN;
    super.weights(plain, least, reason);
    const at = this.#add(callKinds.weights, 0, reason);
    this.calls.data[at + callField.numbers] = least;
    for (const [name, share] of Object.entries(plain)) {
      // Those that are not there were refused.
      const index = this.books.findIndex(({ market }) => market.symbol === name || market.base === name);
      const row = this.#add(callKinds.share, index, '');
      this.calls.data[row + callField.numbers] = share;
    }
  }
}
