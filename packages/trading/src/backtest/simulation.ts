import { aggregate } from '../candles.ts';
import { type Interval, intervalMs, type OrderType, orderTypes } from '../port.ts';
import { Book } from './book.ts';
import { type Columns, rowAt } from './columns.ts';
import type { IndicatorCache } from './frame.ts';
import type { BacktestJob, BacktestMarket } from './job.ts';
import { type Ledger, matchBar } from './matching.ts';
import { Lot, Order } from './order.ts';
import type { ParameterValues } from './parameters.ts';
import type { FillNote, Handlers, OrderOptions, StrategyDefinition } from './strategy.ts';
import { Table } from './table.ts';
import { ContextView, type Driver, MarketView } from './views.ts';

export type Setup = Pick<BacktestJob, 'interval' | 'capital' | 'fees' | 'slippage' | 'deposits' | 'seed'> & {
  /** The strategy, evaluated anew. */
  load: () => StrategyDefinition;
  parameters: ParameterValues;
  markets: readonly BacktestMarket[];
  /** The time from which on it trades; with fewer bars before it than the warm-up, later. */
  from: number;
  warmUp: number;
  cache: IndicatorCache;
  /** Orders decided before this step are not told one by one. */
  recordFrom?: number;
  /** Where the equity is written: runs that only compare decisions share it. */
  equity?: Float64Array;
  state?: Record<string, unknown>;
  /** Of a strategy that is not evaluated here: what is asked instead of it. */
  drive?: (simulation: Simulation) => Handlers;
};

/** Fields of the tables. */
export const fillField = { step: 0, market: 1, isBuy: 2, amount: 3, price: 4, fee: 5, order: 6, cause: 7 } as const;
export const tradeField = {
  ...{ market: 0, amount: 1, entryStep: 2, entryPrice: 3, exitStep: 4, exitPrice: 5 },
  ...{ fees: 6, cause: 7, entryReason: 8, exitReason: 9, result: 10 },
} as const;
export const decisionField = {
  ...{ step: 0, market: 1, kind: 2, size: 3, limit: 4, trigger: 5, stop: 6, takeProfit: 7, isRejected: 8 },
} as const;
/** Kinds of decisions: orders by side and type, then what is done to what waits. */
export const decisionKinds = [
  ...orderTypes.map((type) => `buy ${type}`),
  ...orderTypes.map((type) => `sell ${type}`),
  'cancel',
  'protect',
];
const cancelKind = decisionKinds.indexOf('cancel');
const protectKind = decisionKinds.indexOf('protect');
export const causes = ['buy', 'sell', 'stop', 'take_profit'] as const;
export type CauseIndex = 0 | 1 | 2 | 3;

const mostOpenOrders = 500;
const mostRecords = 5_000;
const mostReasons = 10_000;
const mostLogs = 1_000;
const longestText = 500;
const chunk = 131_072;

/** One pass of a strategy over bars. */
export class Simulation implements Ledger, Driver {
  readonly setup: Setup;
  readonly books: Book[];
  /** When each step opens: the times of all markets together. */
  times: Float64Array;
  readonly length: number;
  readonly first: number;
  readonly equity: Float64Array;
  readonly fills = new Table(8);
  readonly trades = new Table(11);
  readonly decisions = new Table(9);
  readonly records: Order[] = [];
  readonly reasons: string[] = [''];
  readonly logs: { step: number; text: string }[] = [];
  /** Paid in at a step. */
  readonly flows: { step: number; amount: number }[] = [];
  readonly state: Record<string, unknown>;
  cash: number;
  reserved = 0;
  /** What market orders that wait will bring. */
  expected = 0;
  step = -1;
  orderCount = 0;
  rejectedCount = 0;
  droppedLogs = 0;
  ambiguousBars = 0;
  decidedByFinerBars = 0;
  investedSum = 0;
  investedBars = 0;
  randomState: number;
  #waiting = 0;
  /** The strategy is called from within bars only, once it has started. */
  #isRunning = false;
  #nextDeposit = 0;
  #told = 0;
  readonly #deposits: readonly { at: number; amount: number }[];
  readonly #reasonIndex = new Map<string, number>([['', 0]]);
  readonly #views: MarketView[];
  readonly #handlers: Handlers;
  readonly #recordFrom: number;

  constructor(setup: Setup) {
    this.setup = setup;
    this.length = intervalMs[setup.interval as Interval];
    this.cash = setup.capital;
    this.randomState = setup.seed | 0;
    this.state = setup.state ?? {};
    this.#recordFrom = setup.recordFrom ?? 0;
    this.books = setup.markets.map((market, index) => new Book(index, market, setup.interval, setup.cache));
    this.times = timelineOf(setup.markets);
    this.first = Math.max(setup.from > 0 ? rowAt(this.times, setup.from) : 0, Math.ceil(setup.warmUp));
    this.equity = setup.equity ?? new Float64Array(this.times.length);
    this.#deposits = [...(setup.deposits ?? [])].sort((a, b) => a.at - b.at);
    this.#views = this.books.map((book) => new MarketView(book, this));
    const context = new ContextView(this, this.#views, this.state);
    const handlers = setup.drive
      ? setup.drive(this)
      : setup.load().start(context, Object.freeze({ ...setup.parameters }));
    if (typeof handlers?.onBar !== 'function') throw new Error('start must return { onBar() { … } }');
    // What it rejects later would end the process and not the run.
    if (String(handlers.onBar).startsWith('async')) throw new Error('onBar cannot be async');
    this.#handlers = handlers;
  }

  /** When the present bar closes. */
  get now(): number {
    return this.step < 0 ? Number.NaN : (this.times[this.step] as number) + this.length;
  }
  closeOf(book: Book): number {
    return book.frame.row < 0 ? 0 : (book.frame.columns.close[book.frame.row] as number);
  }
  equityNow(): number {
    let equity = this.cash;
    for (const book of this.books) if (book.position !== 0) equity += book.position * this.closeOf(book);
    return equity;
  }

  /** Steps up to `end`; reports after each of many. */
  run(end = this.times.length, onProgress?: (share: number) => void): void {
    this.#isRunning = true;
    while (this.step + 1 < end) {
      const to = Math.min(this.step + 1 + chunk, end);
      const [only] = this.books;
      if (this.books.length === 1 && only) this.#runOne(only, to);
      else this.#runMany(to);
      onProgress?.(to / end);
    }
  }

  #runOne(book: Book, end: number): void {
    const { times, equity, first, length } = this;
    const handlers = this.#handlers;
    const { frame } = book;
    const { open, high, low, close } = frame.columns;
    const { longer } = book;
    let nextDeposit = this.#depositStep();
    frame.isFresh = true;
    const { fills } = this;
    // Not fields: they would be written at each bar.
    let [invested, bars] = [0, 0];
    try {
      for (let step = this.step + 1; step < end; step++) {
        this.step = step;
        if (step >= nextDeposit) nextDeposit = this.#pay(step);
        if (this.#waiting > 0) this.#fillAtMarket(step);
        if (book.isWatched) {
          const l = low[step] as number;
          const h = high[step] as number;
          if (l <= book.lowTrigger || h >= book.highTrigger || step >= book.nextExpiry) {
            matchBar(this, book, open[step] as number, h, l, close[step] as number);
          }
        }
        frame.row = step;
        const held = book.position;
        if (held === 0) equity[step] = this.cash;
        else {
          const value = held * (close[step] as number);
          const now = this.cash + value;
          equity[step] = now;
          invested += value / now;
          bars++;
        }
        if (longer.length > 0) book.showLonger((times[step] as number) + length);
        if (step < first) continue;
        if (this.#told !== fills.count) this.#tellFills();
        handlers.onBar();
      }
    } finally {
      this.investedSum += invested;
      this.investedBars += bars;
    }
  }

  #runMany(end: number): void {
    const { times, equity, first, length, books } = this;
    const handlers = this.#handlers;
    let nextDeposit = this.#depositStep();
    const isAligned = books.every(({ frame }) => frame.columns.time.length === times.length);
    if (isAligned) for (const { frame } of books) frame.isFresh = true;
    for (let step = this.step + 1; step < end; step++) {
      this.step = step;
      const time = times[step] as number;
      if (step >= nextDeposit) nextDeposit = this.#pay(step);
      for (let index = 0; !isAligned && index < books.length; index++) {
        const { frame } = books[index] as Book;
        frame.isFresh = frame.columns.time[frame.row + 1] === time;
      }
      if (this.#waiting > 0) this.#fillAtMarket(step);
      let invested = 0;
      for (let index = 0; index < books.length; index++) {
        const book = books[index] as Book;
        const { frame } = book;
        if (frame.isFresh) {
          const row = frame.row + 1;
          if (book.isWatched) {
            const { high, low, open, close } = frame.columns;
            const l = low[row] as number;
            const h = high[row] as number;
            if (l <= book.lowTrigger || h >= book.highTrigger || step >= book.nextExpiry) {
              matchBar(this, book, open[row] as number, h, l, close[row] as number);
            }
          }
          frame.row = row;
        }
        if (book.position !== 0) invested += book.position * (frame.columns.close[frame.row] as number);
        if (book.longer.length > 0) book.showLonger(time + length);
      }
      const now = this.cash + invested;
      equity[step] = now;
      if (invested !== 0) {
        this.investedSum += invested / now;
        this.investedBars++;
      }
      if (step < first) continue;
      if (this.#told !== this.fills.count) this.#tellFills();
      handlers.onBar();
    }
  }

  /** Of a live run: bars were added, the strategy decides; what is filled is told by the exchange. */
  decide(columns: readonly Columns[], times: Float64Array): void {
    this.times = times;
    this.step = times.length - 1;
    const time = times[this.step] as number;
    for (const [index, book] of this.books.entries()) {
      const more = columns[index] as Columns;
      book.frame.extend(more);
      book.frame.row = more.time.length - 1;
      book.frame.isFresh = more.time[book.frame.row] === time;
      for (const { frame } of book.longer) frame.extend(aggregate(more, frame.interval));
      book.showLonger(time + this.length);
    }
    if (this.step < this.setup.warmUp) return;
    this.#isRunning = true;
    if (this.#told !== this.fills.count) this.#tellFills();
    this.#handlers.onBar();
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

  #tellFills(): void {
    const from = this.#told;
    this.#told = this.fills.count;
    if (!this.#handlers.onFill) return;
    for (let row = from; row < this.#told; row++) {
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
    for (let index = 0; index < books.length && this.#waiting > 0; index++) {
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
      this.#waiting--;
      if (isBuy) this.fillBuy(book, order, open * (1 + slippage), fees.taker, step);
      else this.fillSell(book, order, open * (1 - slippage), fees.taker, step);
    }
    if (kept === count) return;
    atMarket.length = kept;
    book.updateTriggers();
  }

  fillBuy(book: Book, order: Order, price: number, rate: number, step: number): Lot | null {
    const { rules } = book.market;
    this.reserved -= order.reserved;
    order.reserved = 0;
    const available = this.cash - this.reserved;
    const unit = price * (1 + rate);
    let amount = order.amount > 0 ? order.amount : book.amounts.floor(Math.min(order.budget, available) / unit);
    if (rules.maxAmount !== null && amount > rules.maxAmount) amount = rules.maxAmount;
    if (amount * unit > available * (1 + 1e-12)) {
      amount = book.amounts.floor(available / unit);
      order.note = `The price moved: cash was enough for ${amount} of ${order.amount}`;
    }
    const problem = this.#sizeProblem(book, amount, price);
    if (problem) {
      this.end(order, 'rejected', problem);
      return null;
    }
    const lot = this.recordBuy(book, order, amount, price, amount * price * rate, step);
    this.end(order, order.amount > 0 && amount < order.amount ? 'expired' : 'closed', order.note);
    return lot;
  }

  recordBuy(book: Book, order: Order, amount: number, price: number, fee: number, step: number): Lot {
    this.cash -= amount * price + fee;
    book.position = book.amounts.round(book.position + amount);
    const lot = new Lot(amount, price, fee, order, step, this.reasonIndex(order.reason));
    book.lots.push(lot);
    this.#addFill(book, order.id, true, amount, price, fee, step, 0);
    order.filled = amount;
    order.price = price;
    order.fee = fee;
    order.filledStep = step;
    return lot;
  }
  /** Of a restored live run: what happened before is not told again. */
  forgetFills(): void {
    this.#told = this.fills.count;
  }

  fillSell(book: Book, order: Order, price: number, rate: number, step: number): void {
    if (order.type === 'market') this.expected -= order.reserved;
    order.reserved = 0;
    const amount = Math.min(order.amount, book.position);
    if (amount <= 0) {
      this.end(order, 'canceled', 'Nothing is held any more');
      return;
    }
    let left = amount;
    let sold = 0;
    const reason = this.reasonIndex(order.reason);
    for (const lot of book.lots) {
      if (left <= 0) break;
      // What is left of a lot by less than a step is dust of the arithmetic.
      const part = lot.amount <= left * (1 + 1e-9) ? lot.amount : left;
      this.#closeLot(book, lot, part, price, rate, step, 1, reason);
      left -= part;
      sold++;
    }
    if (sold > 0) this.#dropEmptyLots(book);
    const fee = amount * price * rate;
    this.cash += amount * price - fee;
    book.position = book.lots.length === 0 ? 0 : book.amounts.round(book.position - amount);
    this.#addFill(book, order.id, false, amount, price, fee, step, 1);
    order.filled = amount;
    order.price = price;
    order.fee = fee;
    order.filledStep = step;
    const isWhole = amount >= order.amount;
    this.end(order, isWhole ? 'closed' : 'expired', isWhole ? '' : `Only ${amount} was held any more`);
  }

  /** The stop or take-profit of one purchase. */
  exitLot(book: Book, lot: Lot, price: number, rate: number, step: number, cause: 2 | 3, amount = lot.amount): void {
    this.#closeLot(book, lot, amount, price, rate, step, cause, lot.reason);
    this.#dropEmptyLots(book);
    const fee = amount * price * rate;
    this.cash += amount * price - fee;
    book.position = book.lots.length === 0 ? 0 : book.amounts.round(book.position - amount);
    this.#addFill(book, lot.order, false, amount, price, fee, step, cause);
  }

  #closeLot(
    book: Book,
    lot: Lot,
    part: number,
    price: number,
    rate: number,
    step: number,
    cause: CauseIndex,
    reason: number,
  ): void {
    const share = part / lot.amount;
    const entryFee = lot.fee * share;
    const fees = entryFee + part * price * rate;
    const { trades } = this;
    const at = trades.add();
    trades.set(at + tradeField.market, book.index);
    trades.set(at + tradeField.amount, part);
    trades.set(at + tradeField.entryStep, lot.step);
    trades.set(at + tradeField.entryPrice, lot.price);
    trades.set(at + tradeField.exitStep, step);
    trades.set(at + tradeField.exitPrice, price);
    trades.set(at + tradeField.fees, fees);
    trades.set(at + tradeField.cause, cause);
    trades.set(at + tradeField.entryReason, lot.reason);
    trades.set(at + tradeField.exitReason, reason);
    trades.set(at + tradeField.result, part * (price - lot.price) - fees);
    lot.amount = share === 1 ? 0 : book.amounts.round(lot.amount - part);
    lot.fee -= entryFee;
  }
  #dropEmptyLots(book: Book): void {
    let kept = 0;
    for (const lot of book.lots) if (lot.amount > 0) book.lots[kept++] = lot;
    book.lots.length = kept;
  }
  #addFill(
    book: Book,
    order: number,
    isBuy: boolean,
    amount: number,
    price: number,
    fee: number,
    step: number,
    cause: CauseIndex,
  ): void {
    const at = this.fills.add();
    this.fills.set(at, step);
    this.fills.set(at + 1, book.index);
    this.fills.set(at + 2, isBuy ? 1 : 0);
    this.fills.set(at + 3, amount);
    this.fills.set(at + 4, price);
    this.fills.set(at + 5, fee);
    this.fills.set(at + 6, order);
    this.fills.set(at + 7, cause);
  }

  end(order: Order, state: Order['state'], note: string): void {
    order.state = state;
    order.note = note;
    if (state === 'rejected') this.rejectedCount++;
    if (order.isBuy) this.reserved -= order.reserved;
    else if (order.type === 'market') this.expected -= order.reserved;
    order.reserved = 0;
  }

  #sizeProblem(book: Book, amount: number, price: number): string | null {
    const { rules, base, quote } = book.market;
    if (!(amount > 0)) return 'The size comes to nothing';
    if (amount < rules.minAmount) return `${amount} ${base} is less than the least, ${rules.minAmount}`;
    if (rules.maxAmount !== null && amount > rules.maxAmount) {
      return `${amount} ${base} is more than the most, ${rules.maxAmount}`;
    }
    if (amount * price < rules.minNotional) return `The least is an order of ${rules.minNotional} ${quote}`;
    return null;
  }

  reasonIndex(reason: string): number {
    const known = this.#reasonIndex.get(reason);
    if (known !== undefined) return known;
    if (this.reasons.length >= mostReasons) return 0;
    this.reasons.push(reason);
    this.#reasonIndex.set(reason, this.reasons.length - 1);
    return this.reasons.length - 1;
  }

  /** What a strategy decided, from the close of this step on. */
  order(book: Book, isBuy: boolean, options: OrderOptions): number {
    this.#mustBeInBar();
    if (options === null || typeof options !== 'object') throw new Error('Orders take options: buy({ percent: 100 })');
    const close = this.closeOf(book);
    const limit = priceOf(book, options.limit);
    const trigger = priceOf(book, options.trigger);
    const isTriggerAbove = trigger > close || (trigger === close && isBuy);
    const type = typeOf(isBuy, limit, trigger, isTriggerAbove);
    const order = new Order(++this.orderCount, book.index, isBuy, type, this.step);
    order.limit = limit;
    order.trigger = trigger;
    order.isTriggerAbove = isTriggerAbove;
    order.stop = priceOf(book, options.stop);
    order.takeProfit = priceOf(book, options.takeProfit);
    order.reason = textOf(options.reason);
    const problem = this.#problem(book, order, options, close);
    if (problem === null && options.goodForBars !== undefined) order.expiresAt = this.step + options.goodForBars + 1;
    this.#accept(book, order, problem, close);
    return problem === null ? order.id : 0;
  }

  #accept(book: Book, order: Order, problem: string | null, close: number): void {
    const kind = (order.isBuy ? 0 : orderTypes.length) + orderTypes.indexOf(order.type);
    const size = order.amount > 0 ? order.amount : order.budget;
    this.#addDecision(book, kind, size, order, problem !== null);
    if (this.step >= this.#recordFrom && this.records.length < mostRecords) this.records.push(order);
    if (problem !== null) {
      this.end(order, 'rejected', problem);
      return;
    }
    if (order.type === 'market') {
      book.atMarket.push(order);
      this.#waiting++;
      if (!order.isBuy) {
        order.reserved = order.amount * close * (1 - this.setup.slippage) * (1 - this.setup.fees.taker);
        this.expected += order.reserved;
      }
    } else {
      book.resting.push(order);
      book.updateTriggers();
    }
    if (order.isBuy) this.reserved += order.reserved;
  }

  /** Sizes the order; or why it is rejected. */
  #problem(book: Book, order: Order, options: OrderOptions, close: number): string | null {
    const { slippage, fees } = this.setup;
    if (book.frame.row < 0) return 'The market has no bar yet';
    const { amount, quote, percent, goodForBars } = options;
    const wrong =
      numberProblem('amount', amount) ??
      numberProblem('quote', quote) ??
      numberProblem('percent', percent) ??
      numberProblem('limit', options.limit) ??
      numberProblem('trigger', options.trigger) ??
      numberProblem('stop', options.stop) ??
      numberProblem('takeProfit', options.takeProfit);
    if (wrong !== null) return wrong;
    const sizes = (amount === undefined ? 0 : 1) + (quote === undefined ? 0 : 1) + (percent === undefined ? 0 : 1);
    if (sizes > 1) return 'Give one of amount, quote and percent';
    if (goodForBars !== undefined && !(goodForBars >= 1)) return 'goodForBars must be at least 1';
    if (percent !== undefined && percent > 100) return 'percent is at most 100';
    if (book.resting.length + book.atMarket.length >= mostOpenOrders)
      return `${mostOpenOrders} orders are open already`;
    const isLimited = !Number.isNaN(order.limit);
    const isTriggered = !Number.isNaN(order.trigger);
    /** What it is reckoned with before it is filled. */
    const price = isLimited ? order.limit : isTriggered ? order.trigger : close;
    if (order.isBuy) {
      if (order.stop >= price) return `The stop ${order.stop} is not below the price ${price}`;
      if (order.takeProfit <= price) return `The take-profit ${order.takeProfit} is not above the price ${price}`;
      const available = this.cash - this.reserved + this.expected;
      const rate = Math.max(fees.taker, isLimited ? fees.maker : 0);
      const unit = price * (isLimited ? 1 : 1 + slippage) * (1 + rate);
      if (amount !== undefined) {
        order.amount = book.amounts.floor(amount);
        order.reserved = order.amount * unit;
      } else {
        const wanted = quote ?? ((percent ?? 100) / 100) * this.equityNow();
        if (quote === undefined) order.budget = Math.max(Math.min(wanted, available), 0);
        else order.budget = wanted;
        order.reserved = order.budget;
        if (order.type !== 'market') order.amount = book.amounts.floor(order.budget / unit);
      }
      const problem = this.#sizeProblem(book, order.amount > 0 ? order.amount : order.budget / unit, price);
      const needed = order.reserved;
      if (needed > available * (1 + 1e-9) || (problem && available <= 0)) {
        order.reserved = 0;
        return `Needs ${money(needed)} ${book.market.quote}, ${money(Math.max(available, 0))} are free`;
      }
      if (problem) order.reserved = 0;
      return problem;
    }
    if (options.stop !== undefined || options.takeProfit !== undefined) {
      return 'stop and takeProfit belong to a purchase; use trigger or protect';
    }
    let free = book.position;
    for (const each of book.resting) if (!each.isBuy) free -= each.amount;
    for (const each of book.atMarket) if (!each.isBuy) free -= each.amount;
    free = book.amounts.round(Math.max(free, 0));
    const wanted = amount ?? (quote === undefined ? (book.position * (percent ?? 100)) / 100 : quote / price);
    order.amount = book.amounts.floor(wanted);
    if (order.amount > free * (1 + 1e-9)) return `Sells ${order.amount} ${book.market.base}, ${free} are free`;
    return this.#sizeProblem(book, order.amount, price);
  }

  #addDecision(
    book: Book,
    kind: number,
    size: number,
    order: Pick<Order, 'limit' | 'trigger' | 'stop' | 'takeProfit'>,
    isRejected: boolean,
  ): void {
    const at = this.decisions.add();
    this.decisions.set(at, this.step);
    this.decisions.set(at + 1, book.index);
    this.decisions.set(at + 2, kind);
    this.decisions.set(at + 3, size);
    this.decisions.set(at + 4, order.limit);
    this.decisions.set(at + 5, order.trigger);
    this.decisions.set(at + 6, order.stop);
    this.decisions.set(at + 7, order.takeProfit);
    this.decisions.set(at + 8, isRejected ? 1 : 0);
  }

  cancel(book: Book, id?: number): void {
    this.#mustBeInBar();
    if (book.resting.length + book.atMarket.length === 0) return;
    let canceled = 0;
    for (const orders of [book.resting, book.atMarket]) {
      let kept = 0;
      for (const order of orders) {
        if (id !== undefined && order.id !== id) {
          orders[kept++] = order;
          continue;
        }
        canceled++;
        if (order.type === 'market') this.#waiting--;
        this.end(order, 'canceled', 'Canceled by the strategy');
      }
      orders.length = kept;
    }
    if (canceled === 0) return;
    this.#addDecision(book, cancelKind, canceled, nothing, false);
    book.updateTriggers();
  }

  protect(book: Book, exits: { stop?: number | null; takeProfit?: number | null }): void {
    this.#mustBeInBar();
    const of = (value: number | null | undefined, name: string) => {
      if (value === null) return Number.NaN;
      if (typeof value !== 'number' || !(value > 0)) throw new Error(`protect: the ${name} is ${String(value)}`);
      return book.prices.round(value);
    };
    const stop = exits.stop === undefined ? undefined : of(exits.stop, 'stop');
    const takeProfit = exits.takeProfit === undefined ? undefined : of(exits.takeProfit, 'take-profit');
    for (const lot of book.lots) {
      if (stop !== undefined) lot.stop = stop;
      if (takeProfit !== undefined) lot.takeProfit = takeProfit;
    }
    const told = { ...nothing, stop: stop ?? Number.NaN, takeProfit: takeProfit ?? Number.NaN };
    this.#addDecision(book, protectKind, book.lots.length, told, false);
    book.updateTriggers();
  }

  weights(shares: Readonly<Record<string, number>>, drift: number, reason: string): void {
    this.#mustBeInBar();
    const wanted = new Float64Array(this.books.length);
    let total = 0;
    for (const [name, share] of Object.entries(shares)) {
      const book = this.books.find(({ market }) => market.symbol === name || market.base === name);
      if (!book) throw new Error(`weights: there is no market ${name} in this run`);
      if (typeof share !== 'number' || !(share >= 0)) throw new Error(`weights: ${name} is ${String(share)}`);
      wanted[book.index] = share;
      total += share;
    }
    if (total > 1 + 1e-9) throw new Error(`weights: they sum to ${total}, at most 1`);
    const equity = this.equityNow();
    for (const isBuy of [false, true]) {
      for (const book of this.books) {
        const close = this.closeOf(book);
        if (close === 0) continue;
        const target = wanted[book.index] as number;
        const difference = target * equity - book.position * close;
        if (difference > 0 !== isBuy || difference === 0) continue;
        if (Math.abs(difference) < drift * equity && target > 0) continue;
        const order = new Order(this.orderCount + 1, book.index, isBuy, 'market', this.step);
        order.reason = textOf(reason);
        if (isBuy) {
          order.budget = Math.min(difference, this.cash - this.reserved + this.expected);
          order.reserved = Math.max(order.budget, 0);
        } else {
          order.amount = target === 0 ? book.position : book.amounts.floor(-difference / close);
        }
        // Differences too small to trade stay, without a rejected order at each bar.
        if (this.#sizeProblem(book, isBuy ? order.budget / close : order.amount, close)) continue;
        this.orderCount++;
        this.#accept(book, order, null, close);
      }
    }
  }

  #mustBeInBar(): void {
    if (!this.#isRunning) throw new Error('Orders can be made in onBar and onFill only, after the warm-up');
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

const numberProblem = (name: string, value: unknown): string | null => {
  if (value === undefined) return null;
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${name} is not a number`;
  return value <= 0 ? `${name} must be above zero` : null;
};
const nothing = { limit: Number.NaN, trigger: Number.NaN, stop: Number.NaN, takeProfit: Number.NaN };
const textOf = (text: unknown) => (typeof text === 'string' ? text.slice(0, 200) : '');
const money = (value: number) => String(Math.round(value * 100) / 100);
const priceOf = (book: Book, price: unknown) => (typeof price === 'number' ? book.prices.round(price) : Number.NaN);

function typeOf(isBuy: boolean, limit: number, trigger: number, isTriggerAbove: boolean): OrderType {
  if (Number.isNaN(trigger)) return Number.isNaN(limit) ? 'market' : 'limit';
  if (!Number.isNaN(limit)) return 'stop_limit';
  return isTriggerAbove === isBuy ? 'stop' : 'take_profit';
}

/** The times of all markets together; the column itself where they are the same. */
export function timelineOf(markets: readonly Pick<BacktestMarket, 'columns'>[]): Float64Array {
  const [first, ...others] = markets.map(({ columns }) => columns.time);
  if (!first) return new Float64Array(0);
  const isSame = (time: Float64Array) => time.length === first.length && time.every((each, row) => each === first[row]);
  if (others.every(isSame)) return first;
  const times = new Set<number>();
  for (const { columns } of markets) for (const time of columns.time) times.add(time);
  return Float64Array.from(times).sort();
}
