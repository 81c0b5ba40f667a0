import { aggregate } from '../../candles.ts';
import { type Interval, intervalMs } from '../../port.ts';
import { Balances } from './balances.ts';
import type { Book } from './book.ts';
import { type Columns, rowAt } from './columns.ts';
import { expireOrders, type Ledger, matchBar } from './matching.ts';
import type { Order } from './order.ts';
import { OrderEntry } from './order-entry.ts';
import { fillField } from './result-tables.ts';
import type { Setup } from './setup.ts';
import type { FillNote, Handlers } from './strategy.ts';
import { timelineOf } from './timeline.ts';
import { ContextView, type Driver, MarketView } from './views.ts';

const mostLogs = 1_000;
const longestText = 500;
const chunk = 131_072;

/** Of a strategy that is not evaluated here: what is asked instead of it. */
export type Drive = (simulation: Simulation) => Handlers;
export type SimulationSetup = Setup & { drive?: Drive };

/** One pass of a strategy over bars. */
export class Simulation extends OrderEntry implements Ledger, Driver {
  declare readonly setup: SimulationSetup;
  /** When each step opens: the times of all markets together. */
  times: Float64Array;
  readonly length: number;
  readonly first: number;
  #equity: Float64Array | null;
  readonly logs: { step: number; text: string }[] = [];
  /** Paid in at a step. */
  readonly flows: { step: number; amount: number }[] = [];
  readonly state: Record<string, unknown>;
  droppedLogs = 0;
  ambiguousBars = 0;
  decidedByFinerBars = 0;
  randomState: number;
  #nextDeposit = 0;
  #reportedFills = 0;
  readonly #deposits: readonly { at: number; amount: number }[];
  readonly #views: MarketView[];
  readonly #handlers: Handlers;
  readonly #balances: Balances;

  constructor(setup: SimulationSetup) {
    super(setup);
    this.length = intervalMs[setup.interval as Interval];
    this.randomState = setup.seed | 0;
    this.state = setup.state ?? {};
    this.#equity = setup.equity ?? null;
    this.times = timelineOf(setup.markets);
    this.first = Math.max(setup.from > 0 ? rowAt(this.times, setup.from) : 0, Math.ceil(setup.warmUp));
    this.#balances = new Balances(setup.capital);
    this.#deposits = [...(setup.deposits ?? [])].sort((a, b) => a.at - b.at);
    this.#views = this.books.map((book) => new MarketView(book, this));
    const context = new ContextView(this, this.#views, this.state);
    const handlers = setup.drive
      ? setup.drive(this)
      : setup.load?.().start(context, Object.freeze({ ...setup.parameters }));
    if (typeof handlers?.onBar !== 'function') throw new Error('start must return { onBar() { … } }');
    // What it rejects later would end the process and not the run.
    if (String(handlers.onBar).startsWith('async')) throw new Error('onBar cannot be async');
    this.#handlers = handlers;
  }

  /** When the present bar closes. */
  get now(): number {
    return this.step < 0 ? Number.NaN : (this.times[this.step] as number) + this.length;
  }

  /** What cash and holdings were worth at the close of each step up to now. */
  get equity(): Float64Array {
    this.#equity ??= new Float64Array(this.times.length);
    const [book] = this.books;
    if (this.books.length === 1 && book) this.#balances.write(this.#equity, book.frame.columns.close, this.step + 1);
    return this.#equity;
  }
  /** The same of one step. */
  equityAt(step: number): number {
    const [book] = this.books;
    if (this.books.length === 1 && book) return this.#balances.valueAt(step, book.frame.columns.close);
    return this.equity[step] as number;
  }
  /** Sum of the shares of the equity that were invested, and bars with a position, up to now. */
  exposure(): { sum: number; bars: number } {
    // They are counted where the values are written.
    void this.equity;
    return { sum: this.#balances.investedSum, bars: this.#balances.investedBars };
  }

  /** Steps up to `end`; reports after each of many. */
  run(end = this.times.length, onProgress?: (share: number) => void): void {
    this.isRunning = true;
    while (this.step + 1 < end) {
      const to = Math.min(this.step + 1 + chunk, end);
      const [only] = this.books;
      if (this.books.length === 1 && only) this.#runOne(only, to);
      else this.#runMany(to);
      onProgress?.(to / end);
    }
  }

  #runOne(book: Book, end: number): void {
    const { times, length, first, fills } = this;
    const handlers = this.#handlers;
    const { frame, longer } = book;
    let nextDeposit = this.#depositStep();
    frame.isFresh = true;
    let step = this.step + 1;
    // Nothing happens before the strategy is asked.
    if (step < first) {
      step = Math.min(first, end);
      this.step = step - 1;
      frame.row = step - 1;
      book.showLonger((times[step - 1] as number) + length);
    }
    for (; step < end; step++) {
      this.step = step;
      if (this.isPending || step >= nextDeposit) nextDeposit = this.#settle(book, step, nextDeposit);
      frame.row = step;
      if (longer.length > 0) book.showLonger((times[step] as number) + length);
      if (this.#reportedFills !== fills.count) this.#reportFills();
      handlers.onBar();
    }
  }

  /** Deposits, and what the bar fills of what waits; answers when the next deposit is due. */
  #settle(book: Book, step: number, nextDeposit: number): number {
    const { cash } = this;
    const { position } = book;
    const next = step >= nextDeposit ? this.#pay(step) : nextDeposit;
    if (this.waiting > 0) this.#fillAtMarket(step);
    if (book.isWatched) this.#match(book, step, step);
    this.isPending = this.waiting > 0 || book.isWatched;
    if (cash !== this.cash || position !== book.position) this.#balances.add(step, this.cash, book.position);
    return next;
  }
  #runMany(end: number): void {
    const { times, first, length, books, fills } = this;
    const balances = this.#balances;
    const { equity } = this;
    const handlers = this.#handlers;
    let nextDeposit = this.#depositStep();
    const isAligned = books.every(({ frame }) => frame.columns.time.length === times.length);
    if (isAligned) for (const { frame } of books) frame.isFresh = true;
    let held = books.filter(({ position }) => position !== 0);
    let counted = fills.count;
    for (let step = this.step + 1; step < end; step++) {
      this.step = step;
      const time = times[step] as number;
      if (step >= nextDeposit) nextDeposit = this.#pay(step);
      for (let index = 0; !isAligned && index < books.length; index++) {
        const { frame } = books[index] as Book;
        frame.isFresh = frame.columns.time[frame.row + 1] === time;
      }
      if (this.isPending) this.#settleMany(step);
      for (let index = 0; index < books.length; index++) {
        const { frame, longer } = books[index] as Book;
        if (frame.isFresh) frame.row++;
        if (longer.length > 0) (books[index] as Book).showLonger(time + length);
      }
      if (counted !== fills.count) {
        counted = fills.count;
        held = books.filter(({ position }) => position !== 0);
      }
      let invested = 0;
      for (let index = 0; index < held.length; index++) {
        const { frame, position } = held[index] as Book;
        invested += position * (frame.columns.close[frame.row] as number);
      }
      const now = this.cash + invested;
      equity[step] = now;
      if (invested !== 0) {
        balances.investedSum += invested / now;
        balances.investedBars++;
      }
      if (step < first) continue;
      if (this.#reportedFills !== counted) this.#reportFills();
      handlers.onBar();
    }
  }
  #settleMany(step: number): void {
    const { books } = this;
    if (this.waiting > 0) this.#fillAtMarket(step);
    let isWatched = false;
    for (let index = 0; index < books.length; index++) {
      const book = books[index] as Book;
      if (book.isWatched && book.frame.isFresh) this.#match(book, book.frame.row + 1, step);
      else if (step + 1 >= book.nextExpiry) expireOrders(this, book);
      if (book.isWatched) isWatched = true;
    }
    this.isPending = this.waiting > 0 || isWatched;
  }
  /** What the bar fills of the orders that rest. */
  #match(book: Book, row: number, step: number): void {
    const { open, high, low, close } = book.frame.columns;
    const l = low[row] as number;
    const h = high[row] as number;
    if (l <= book.lowTrigger || h >= book.highTrigger || step + 1 >= book.nextExpiry) {
      matchBar(this, book, open[row] as number, h, l, close[row] as number);
    }
  }

  /** Of a live run: bars were added, the strategy decides; what is filled is told by the exchange. */
  decide(columns: readonly Columns[], times: Float64Array): void {
    this.extend(columns, times);
    this.step = times.length - 1;
    const time = times[this.step] as number;
    for (const book of this.books) {
      book.frame.row = book.frame.columns.time.length - 1;
      book.frame.isFresh = book.frame.columns.time[book.frame.row] === time;
      book.showLonger(time + this.length);
    }
    if (this.step < this.setup.warmUp) return;
    this.isRunning = true;
    if (this.#reportedFills !== this.fills.count) this.#reportFills();
    this.#handlers.onBar();
  }
  /** One more step, with the bars that there are at its close, and what is decided on them. */
  grow(columns: readonly Columns[], times: Float64Array): void {
    this.times = times;
    const time = times[times.length - 1] as number;
    for (const [index, book] of this.books.entries()) book.grow(columns[index] as Columns, time);
    this.run();
  }
  /** The data goes on; the bars up to now are the same. */
  extend(columns: readonly Columns[], times: Float64Array): void {
    this.times = times;
    for (const [index, book] of this.books.entries()) {
      const more = columns[index] as Columns;
      book.frame.extend(more);
      for (const { frame } of book.longer) frame.extend(aggregate(more, frame.interval));
    }
  }
  /** Shows history without asking the strategy. */
  show(): void {
    this.step = this.times.length - 1;
    for (const book of this.books) {
      book.frame.row = book.frame.columns.time.length - 1;
      book.showLonger((this.times[this.step] as number) + this.length);
    }
  }

  /** The first step at or after the next deposit, and not before trading begins. */
  #depositStep(): number {
    const next = this.#deposits[this.#nextDeposit];
    return next ? Math.max(rowAt(this.times, next.at), this.first) : Number.POSITIVE_INFINITY;
  }
  /** What is due by this step; a withdrawal takes no more than is free. */
  #pay(step: number): number {
    while (this.#depositStep() <= step) {
      const { amount: wanted } = this.#deposits[this.#nextDeposit++] as { amount: number };
      const amount = Math.max(wanted, -Math.max(this.cash - this.reserved, 0));
      this.cash += amount;
      this.flows.push({ step, amount });
    }
    return this.#depositStep();
  }

  #reportFills(): void {
    const from = this.#reportedFills;
    this.#reportedFills = this.fills.count;
    if (!this.#handlers.onFill) return;
    for (let row = from; row < this.#reportedFills; row++) {
      const market = this.#views[this.fills.get(row, fillField.market)] as MarketView;
      const note: FillNote = {
        ...{ market, order: this.fills.get(row, fillField.order) },
        side: this.fills.get(row, fillField.isBuy) ? 'buy' : 'sell',
        ...{ amount: this.fills.get(row, fillField.amount), price: this.fills.get(row, fillField.price) },
        fee: this.fills.get(row, fillField.fee),
      };
      this.#handlers.onFill(note);
    }
  }

  /** At the open; all sales first: they pay for the purchases. */
  #fillAtMarket(step: number): void {
    const { books } = this;
    for (let index = 0; index < books.length; index++) this.#fillSide(books[index] as Book, false, step);
    for (let index = 0; index < books.length && this.waiting > 0; index++) {
      this.#fillSide(books[index] as Book, true, step);
    }
  }
  #fillSide(book: Book, isBuy: boolean, step: number): void {
    const { atMarket, frame } = book;
    const count = atMarket.length;
    if (count === 0 || !frame.isFresh) return;
    const { slippage, fees } = this.setup;
    const open = frame.columns.open[frame.row + 1] as number;
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const order = atMarket[index] as Order;
      if (order.isBuy !== isBuy) {
        atMarket[kept++] = order;
        continue;
      }
      this.waiting--;
      if (isBuy) this.fillBuy(book, order, open * (1 + slippage), fees.taker, step);
      else this.fillSell(book, order, open * (1 - slippage), fees.taker, step);
    }
    if (kept === count) return;
    while (atMarket.length > kept) atMarket.pop();
    book.updateTriggers();
  }

  /** Of a restored live run: what happened before is not told again. */
  forgetFills(): void {
    this.#reportedFills = this.fills.count;
  }

  random(): number {
    this.randomState = (this.randomState + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.randomState ^ (this.randomState >>> 15), 1 | this.randomState);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  }
  log(text: unknown, step = this.step): void {
    if (this.logs.length < mostLogs) this.logs.push({ step, text: String(text).slice(0, longestText) });
    else this.droppedLogs++;
  }
}
