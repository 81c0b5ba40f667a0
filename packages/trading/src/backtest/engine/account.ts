import { Book } from './book.ts';
import { Lot, type Order } from './order.ts';
import { type CauseIndex, fillField, tradeField } from './result-tables.ts';
import type { Setup } from './setup.ts';
import { Table } from './table.ts';

const mostReasons = 10_000;

/** The money and the holdings of a run: what is filled moves them and is written down. */
export class Account {
  readonly setup: Setup;
  readonly books: Book[];
  readonly fills = new Table(8);
  readonly trades = new Table(11);
  readonly reasons: string[] = [''];
  cash: number;
  reserved = 0;
  /** What market orders that wait will bring. */
  expected = 0;
  rejectedCount = 0;
  readonly #reasonIndex = new Map<string, number>();

  constructor(setup: Setup) {
    this.setup = setup;
    this.cash = setup.capital;
    this.books = setup.markets.map((market, index) => new Book(index, market, setup.interval, setup.cache, setup.room));
  }

  closeOf(book: Book): number {
    return book.frame.row < 0 ? 0 : (book.frame.columns.close[book.frame.row] as number);
  }
  equityNow(): number {
    let equity = this.cash;
    for (const book of this.books) if (book.position !== 0) equity += book.position * this.closeOf(book);
    return equity;
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
    const problem = this.sizeProblem(book, amount, price);
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
    const lot = new Lot(amount, price, fee, order, step, this.#indexOf(order.reason));
    book.lots.push(lot);
    this.#addFill(book, order.id, true, amount, price, fee, step, 0);
    order.filled = amount;
    order.price = price;
    order.fee = fee;
    order.filledStep = step;
    return lot;
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
    const reason = this.#indexOf(order.reason);
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
    const at = this.trades.add();
    const { data } = this.trades;
    data[at + tradeField.market] = book.index;
    data[at + tradeField.amount] = part;
    data[at + tradeField.entryStep] = lot.step;
    data[at + tradeField.entryPrice] = lot.price;
    data[at + tradeField.exitStep] = step;
    data[at + tradeField.exitPrice] = price;
    data[at + tradeField.fees] = fees;
    data[at + tradeField.cause] = cause;
    data[at + tradeField.entryReason] = lot.reason;
    data[at + tradeField.exitReason] = reason;
    data[at + tradeField.result] = part * (price - lot.price) - fees;
    lot.amount = share === 1 ? 0 : book.amounts.round(lot.amount - part);
    lot.fee -= entryFee;
  }
  #dropEmptyLots(book: Book): void {
    let kept = 0;
    for (const lot of book.lots) if (lot.amount > 0) book.lots[kept++] = lot;
    // Setting the length to zero would give the room back, and the next purchase asks for it again.
    while (book.lots.length > kept) book.lots.pop();
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
    const { data } = this.fills;
    data[at + fillField.step] = step;
    data[at + fillField.market] = book.index;
    data[at + fillField.isBuy] = isBuy ? 1 : 0;
    data[at + fillField.amount] = amount;
    data[at + fillField.price] = price;
    data[at + fillField.fee] = fee;
    data[at + fillField.order] = order;
    data[at + fillField.cause] = cause;
  }

  end(order: Order, state: Order['state'], note: string): void {
    order.state = state;
    order.note = note;
    if (state === 'rejected') this.rejectedCount++;
    if (order.isBuy) this.reserved -= order.reserved;
    else if (order.type === 'market') this.expected -= order.reserved;
    order.reserved = 0;
  }

  sizeProblem(book: Book, amount: number, price: number): string | null {
    const { rules, base, quote } = book.market;
    if (!(amount > 0)) return 'The size comes to nothing';
    if (amount < rules.minAmount) return `${amount} ${base} is less than the least, ${rules.minAmount}`;
    if (rules.maxAmount !== null && amount > rules.maxAmount) {
      return `${amount} ${base} is more than the most, ${rules.maxAmount}`;
    }
    if (amount * price < rules.minNotional) return `The least is an order of ${rules.minNotional} ${quote}`;
    return null;
  }

  #indexOf(reason: string): number {
    if (reason === '') return 0;
    const known = this.#reasonIndex.get(reason);
    if (known !== undefined) return known;
    if (this.reasons.length >= mostReasons) return 0;
    this.reasons.push(reason);
    this.#reasonIndex.set(reason, this.reasons.length - 1);
    return this.reasons.length - 1;
  }
}
