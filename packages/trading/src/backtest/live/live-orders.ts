import { createHash } from 'node:crypto';
import type { OrderType, Side } from '../../port.ts';
import type { Book } from '../engine/book.ts';
import type { Lot, Order } from '../engine/order.ts';
import type { Simulation } from '../engine/simulation.ts';
import type { Decision, LiveOrder, Placing } from './live-types.ts';

/** A price that may be missing: null outside, NaN within the engine. */
export const shown = (price: number) => (Number.isNaN(price) ? null : price);
export const hidden = (price: number | null) => price ?? Number.NaN;

type KnownOrder = LiveOrder & { order: Order | null };

/** What a live run has placed and what is not done, with the ids of its decisions. */
export class LiveOrders {
  readonly simulation: Simulation;
  /** By the decision's id. */
  readonly open = new Map<string, KnownOrder>();
  /** The purchase's decision by the number of its order. */
  readonly purchases = new Map<number, string>();
  /** When the last bar opened, and how many decisions were made since. */
  lastTime: number | null;
  sequence = 0;
  readonly #runId: string;

  constructor(simulation: Simulation, runId: string) {
    this.simulation = simulation;
    this.lastTime = simulation.times.at(-1) ?? null;
    this.#runId = runId;
  }

  bookOf(symbol: string): Book {
    const book = this.simulation.books.find(({ market }) => market.symbol === symbol);
    if (!book) throw new Error(`There is no market ${symbol} in this run`);
    return book;
  }
  lotOf(book: Book, purchase: string): Lot | undefined {
    return book.lots.find(({ order }) => this.purchases.get(order) === purchase);
  }

  /** What the strategy ordered. */
  place(book: Book, order: Order): Decision {
    const { side, type, amount, limit, trigger, reason } = order;
    const placing = this.#placing(book, side, type, amount, limit, trigger, reason);
    const exits = { stop: shown(order.stop), takeProfit: shown(order.takeProfit) };
    const barsLeft = Number.isFinite(order.expiresAt) ? order.expiresAt - order.step - 1 : null;
    this.open.set(placing.id, { placing, filled: 0, ...exits, exitOf: null, isCanceled: false, barsLeft, order });
    return placing;
  }
  /** Sells what a purchase bought. */
  placeExit(
    book: Book,
    lot: Lot,
    purchase: string,
    type: 'stop' | 'limit' | 'market',
    reason: 'Stop' | 'Take profit',
  ): Decision {
    const limit = type === 'limit' ? lot.takeProfit : Number.NaN;
    const trigger = type === 'stop' ? lot.stop : Number.NaN;
    const placing = this.#placing(book, 'sell', type, lot.amount, limit, trigger, reason);
    const exits = { stop: null, takeProfit: null, exitOf: purchase };
    this.open.set(placing.id, { placing, filled: 0, ...exits, isCanceled: false, barsLeft: null, order: null });
    return placing;
  }
  cancel(id: string, symbol: string, reason: string): Decision {
    const known = this.open.get(id);
    if (known) known.isCanceled = true;
    return { kind: 'cancel', id: this.#nextId(symbol), time: this.simulation.now, symbol, order: id, reason };
  }
  /** Bars have closed: what has had its last one is canceled, and blocks no cash when the strategy is asked. */
  expire(bars: number): Decision[] {
    const decisions: Decision[] = [];
    for (const [id, known] of this.open) {
      if (known.barsLeft === null || known.isCanceled) continue;
      known.barsLeft -= bars;
      if (known.barsLeft > 0) continue;
      if (known.order) this.#take(known.order, 'expired', 'Its time was over');
      known.order = null;
      decisions.push(this.cancel(id, known.placing.symbol, 'Its time was over'));
    }
    return decisions;
  }
  drop(id: string): void {
    const known = this.open.get(id);
    this.open.delete(id);
    if (known?.order) this.#take(known.order, 'closed', '');
  }
  #take(order: Order, state: Order['state'], note: string): void {
    this.simulation.end(order, state, note);
    for (const book of this.simulation.books) {
      for (const list of [book.resting, book.atMarket]) {
        const at = list.indexOf(order);
        if (at >= 0) list.splice(at, 1);
      }
    }
  }

  /** 32 letters and digits, as exchanges take them. */
  #nextId(symbol: string): string {
    const parts = [this.#runId, this.lastTime, symbol, this.sequence++];
    return createHash('sha256').update(parts.join('|')).digest('hex').slice(0, 32);
  }
  #placing(
    book: Book,
    side: Side,
    type: OrderType,
    amount: number,
    price: number,
    trigger: number,
    reason: string,
  ): Placing {
    const { symbol } = book.market;
    return {
      ...{ kind: 'place', id: this.#nextId(symbol), time: this.simulation.now, symbol, side, type, amount },
      ...{ price: shown(price), stopPrice: shown(trigger), reason },
    };
  }
}
