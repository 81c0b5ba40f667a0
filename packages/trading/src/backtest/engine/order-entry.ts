import { type OrderType, orderTypes } from '../../port.ts';
import { Account } from './account.ts';
import type { Book } from './book.ts';
import { Order } from './order.ts';
import { cancelKind, decisionField, protectKind } from './result-tables.ts';
import type { Setup } from './setup.ts';
import type { OrderOptions } from './strategy.ts';
import { Table } from './table.ts';

const mostOpenOrders = 500;
const mostRecords = 5_000;

/** What a strategy decides: orders are sized and checked, and wait for the next bar; each decision is written down. */
export class OrderEntry extends Account {
  readonly decisions = new Table(9);
  readonly records: Order[] = [];
  step = -1;
  orderCount = 0;
  /** Market orders that wait for an open. */
  protected waiting = 0;
  /** Whether anything waits that the next bar may fill. */
  protected isPending = false;
  /** The strategy is called from within bars only, once it has started. */
  protected isRunning = false;
  readonly #recordFrom: number;
  /** By symbol and by base; where two have the same, the first. */
  readonly #bookByName = new Map<string, Book>();

  constructor(setup: Setup) {
    super(setup);
    this.#recordFrom = setup.recordFrom ?? 0;
    for (const book of [...this.books].reverse()) {
      this.#bookByName.set(book.market.base, book);
      this.#bookByName.set(book.market.symbol, book);
    }
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
    this.isPending = true;
    if (order.type === 'market') {
      book.atMarket.push(order);
      this.waiting++;
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
      const problem = this.sizeProblem(book, order.amount > 0 ? order.amount : order.budget / unit, price);
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
    return this.sizeProblem(book, order.amount, price);
  }

  #addDecision(
    book: Book,
    kind: number,
    size: number,
    order: Pick<Order, 'limit' | 'trigger' | 'stop' | 'takeProfit'>,
    isRejected: boolean,
  ): void {
    const at = this.decisions.add();
    const { data } = this.decisions;
    data[at + decisionField.step] = this.step;
    data[at + decisionField.market] = book.index;
    data[at + decisionField.kind] = kind;
    data[at + decisionField.size] = size;
    data[at + decisionField.limit] = order.limit;
    data[at + decisionField.trigger] = order.trigger;
    data[at + decisionField.stop] = order.stop;
    data[at + decisionField.takeProfit] = order.takeProfit;
    data[at + decisionField.isRejected] = isRejected ? 1 : 0;
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
        if (order.type === 'market') this.waiting--;
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
    this.isPending = true;
  }

  weights(shares: Readonly<Record<string, number>>, drift: number, reason: string): void {
    this.#mustBeInBar();
    const wanted = new Float64Array(this.books.length);
    let total = 0;
    for (const [name, share] of Object.entries(shares)) {
      const book = this.#bookByName.get(name);
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
        if (this.sizeProblem(book, isBuy ? order.budget / close : order.amount, close)) continue;
        this.orderCount++;
        this.#accept(book, order, null, close);
      }
    }
  }

  #mustBeInBar(): void {
    if (!this.isRunning) throw new Error('Orders can be made in onBar and onFill only, after the warm-up');
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
