import { createHash } from 'node:crypto';
import { emptyCandles, sliceCandles } from '../candles.ts';
import type { OrderType, Side } from '../port.ts';
import type { Book } from './book.ts';
import type { Columns } from './columns.ts';
import type { BacktestJob } from './job.ts';
import type { LoadedStrategy } from './load.ts';
import { type Lot, Order } from './order.ts';
import { checkJob, prepare, problemOf } from './prepare.ts';
import { type Simulation, timelineOf } from './simulation.ts';

/** A decision of a live run. Its id is the same whenever it is made again from the same bar. */
export type Decision =
  | {
      kind: 'place';
      id: string;
      time: number;
      symbol: string;
      side: Side;
      type: OrderType;
      /** In the base, cut to the market's step. */
      amount: number;
      price: number | null;
      stopPrice: number | null;
      reason: string;
    }
  | { kind: 'cancel'; id: string; time: number; symbol: string; order: string; reason: string };
type Placing = Extract<Decision, { kind: 'place' }>;

export interface LiveBar {
  symbol: string;
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
export interface LiveFill {
  /** The id of the decision. */
  order: string;
  amount: number;
  price: number;
  /** In the quote. */
  fee: number;
  time: number;
}
export interface LiveRevision {
  symbol: string;
  time: number;
  message: string;
}
export interface LiveAnswer {
  decisions: Decision[];
  logs: string[];
  revisions: LiveRevision[];
}
/** What is stored between restarts: plain data. */
export interface LiveState {
  runId: string;
  lastTime: number | null;
  cash: number;
  sequence: number;
  random: number;
  state: Record<string, unknown>;
  orders: LiveOrder[];
  lots: {
    symbol: string;
    amount: number;
    price: number;
    fee: number;
    time: number;
    stop: number | null;
    takeProfit: number | null;
    reason: string;
    order: string;
  }[];
}
interface LiveOrder {
  placing: Placing;
  filled: number;
  stop: number | null;
  takeProfit: number | null;
  /** Of an exit: the purchase that it ends. */
  exitOf: string | null;
  /** It may still be filled before the cancellation arrives: kept until the exchange says how it ended. */
  isCanceled: boolean;
}
export type LiveJob = Pick<
  BacktestJob,
  'code' | 'python' | 'parameters' | 'interval' | 'markets' | 'capital' | 'fees' | 'slippage' | 'seed'
> & {
  runId: string;
  /** Of the strategy's code at one bar. */
  timeLimitMs?: number;
};

const shown = (price: number) => (Number.isNaN(price) ? null : price);
const hidden = (price: number | null) => price ?? Number.NaN;
const barTimeLimitMs = 5_000;

/**
 * The same strategy object as in a backtest, asked after each closed bar. What it decides is answered, not carried out: the
 * journal and the gate are around it, and fills are told to it. The stop of a purchase rests at the exchange as an order of
 * its own; its take-profit too where it has no stop, else it is watched here, for both cannot hold the same amount.
 */
export class LiveStrategy {
  readonly #job: LiveJob;
  readonly #loaded: LoadedStrategy;
  readonly #simulation: Simulation;
  readonly #columns: Growing[];
  /** By the decision's id: what is placed and not done. */
  readonly #orders = new Map<string, LiveOrder & { order: Order | null }>();
  /** The purchase's decision by the number of its order. */
  readonly #purchases = new Map<number, string>();
  #lastTime: number | null;
  #sequence = 0;

  /** The columns are history up to now, of which the strategy decides nothing; `saved` is what an earlier one stored. */
  constructor(job: LiveJob, saved: LiveState | null = null) {
    checkJob(job);
    const { loaded, setup } = prepare(job);
    this.#job = job;
    this.#loaded = loaded;
    const { realm } = loaded;
    const state = realm.copy(saved?.state ?? {});
    try {
      this.#simulation = loaded.guard(() => new realm.engine.Simulation({ ...setup, state }), this.#limit);
    } catch (error) {
      throw problemOf(error, null);
    }
    this.#columns = job.markets.map(({ columns }) => new Growing(columns));
    this.#simulation.show();
    this.#lastTime = this.#simulation.times.at(-1) ?? null;
    if (saved) this.#restore(saved);
  }
  get #limit(): number {
    return this.#job.timeLimitMs ?? barTimeLimitMs;
  }

  /** How many bars of history the strategy wants before it decides. */
  get warmUp(): number {
    return this.#simulation.setup.warmUp;
  }

  /** The bars that closed at one time, of all markets that have one. */
  onBars(bars: readonly LiveBar[]): LiveAnswer {
    const revisions = bars.flatMap((bar) => this.#revision(bar));
    const fresh = bars.filter(({ time }) => this.#lastTime === null || time > this.#lastTime);
    const [first] = fresh;
    const nothing = { decisions: [], logs: [], revisions };
    if (!first) return nothing;
    if (fresh.some(({ time }) => time !== first.time)) throw new Error('Bars of different times came together');
    for (const bar of fresh) this.#columns[this.#bookOf(bar.symbol).index]?.add(bar);
    this.#lastTime = first.time;
    this.#sequence = 0;
    const simulation = this.#simulation;
    const columns = this.#columns.map((each) => each.columns);
    const times = timelineOf(columns.map((each) => ({ columns: each })));
    const logged = simulation.logs.length;
    const decisions: Decision[] = this.#watchTakeProfits(fresh);
    const placed = new Set(this.#allOrders());
    try {
      this.#loaded.guard(() => simulation.decide(columns.map(this.#loaded.realm.columnsOf), times), this.#limit);
    } catch (error) {
      throw problemOf(error, first.time);
    }
    decisions.push(...this.#changes(placed), ...this.#exits());
    const logs = simulation.logs.slice(logged).map(({ text }) => text);
    simulation.logs.length = Math.min(simulation.logs.length, 100);
    return { decisions, logs, revisions };
  }

  /** What the exchange filled. Answers the exits that now have to be placed or canceled. */
  onFill({ order: id, amount, price, fee }: LiveFill): Decision[] {
    const known = this.#orders.get(id);
    if (!known) return [];
    const simulation = this.#simulation;
    const { placing } = known;
    const book = this.#bookOf(placing.symbol);
    known.filled += amount;
    const isWhole = known.filled >= placing.amount * (1 - 1e-9);
    const rate = amount > 0 && price > 0 ? fee / (amount * price) : 0;
    const number = known.order?.id ?? ++simulation.orderCount;
    const order = new Order(number, book.index, placing.side === 'buy', placing.type, simulation.step);
    order.amount = amount;
    order.reason = placing.reason;
    order.stop = hidden(known.stop);
    order.takeProfit = hidden(known.takeProfit);
    if (placing.side === 'buy') {
      // The exchange had the cash: what is counted here follows it.
      const earlier = book.lots.find((lot) => this.#purchases.get(lot.order) === id);
      const lot = simulation.recordBuy(book, order, amount, price, fee, simulation.step);
      // Filled in parts it is still one purchase with one exit.
      if (earlier) {
        earlier.price = (earlier.price * earlier.amount + price * amount) / (earlier.amount + amount);
        earlier.amount = book.amounts.round(earlier.amount + amount);
        earlier.fee += fee;
        book.lots.splice(book.lots.indexOf(lot), 1);
      } else this.#purchases.set(order.id, id);
    } else if (known.exitOf !== null) {
      const lot = book.lots.find((each) => this.#purchases.get(each.order) === known.exitOf);
      const cause = placing.type === 'stop' ? 2 : 3;
      if (lot) simulation.exitLot(book, lot, price, rate, simulation.step, cause, amount);
      else simulation.fillSell(book, order, price, rate, simulation.step);
    } else simulation.fillSell(book, order, price, rate, simulation.step);
    if (isWhole) this.#drop(id);
    this.#sequence = Math.max(this.#sequence, 1_000);
    return this.#exits();
  }

  /** Nothing more will be filled of it: canceled, expired or rejected. */
  onEnd(id: string): Decision[] {
    this.#drop(id);
    this.#sequence = Math.max(this.#sequence, 1_000);
    return this.#exits();
  }

  save(): LiveState {
    const simulation = this.#simulation;
    const timeOf = (step: number) => simulation.times[step] ?? 0;
    return {
      ...{ runId: this.#job.runId, lastTime: this.#lastTime, cash: simulation.cash, sequence: this.#sequence },
      ...{
        random: simulation.randomState,
        state: JSON.parse(JSON.stringify(simulation.state)) as Record<string, unknown>,
      },
      orders: [...this.#orders.values()].map(({ order: _, ...each }) => ({ ...each })),
      lots: simulation.books.flatMap((book) =>
        book.lots.map((lot) => ({
          ...{ symbol: book.market.symbol, amount: lot.amount, price: lot.price, fee: lot.fee, time: timeOf(lot.step) },
          ...{ stop: shown(lot.stop), takeProfit: shown(lot.takeProfit), reason: simulation.reasons[lot.reason] ?? '' },
          order: this.#purchases.get(lot.order) ?? '',
        })),
      ),
    };
  }

  #restore(saved: LiveState): void {
    const simulation = this.#simulation;
    if (saved.runId !== this.#job.runId) throw new Error('The saved state is of another run');
    simulation.randomState = saved.random;
    this.#sequence = saved.sequence;
    for (const lot of saved.lots) {
      const book = this.#bookOf(lot.symbol);
      const order = new Order(++simulation.orderCount, book.index, true, 'market', simulation.step);
      order.reason = lot.reason;
      order.stop = hidden(lot.stop);
      order.takeProfit = hidden(lot.takeProfit);
      const step = simulation.times.findIndex((time) => time >= lot.time);
      simulation.recordBuy(book, order, lot.amount, lot.price, lot.fee, Math.max(step, 0));
      this.#purchases.set(order.id, lot.order);
    }
    simulation.forgetFills();
    for (const each of saved.orders) {
      const { placing, exitOf } = each;
      const book = this.#bookOf(placing.symbol);
      let order: Order | null = null;
      if (exitOf === null) {
        order = new Order(++simulation.orderCount, book.index, placing.side === 'buy', placing.type, simulation.step);
        order.amount = placing.amount - each.filled;
        order.limit = hidden(placing.price);
        order.trigger = hidden(placing.stopPrice);
        order.reserved = placing.side === 'buy' ? order.amount * (placing.price ?? placing.stopPrice ?? 0) : 0;
        simulation.reserved += order.reserved;
        (placing.type === 'market' ? book.atMarket : book.resting).push(order);
      }
      this.#orders.set(placing.id, { ...each, order });
    }
    simulation.cash = saved.cash;
  }

  #bookOf(symbol: string): Book {
    const book = this.#simulation.books.find(({ market }) => market.symbol === symbol);
    if (!book) throw new Error(`There is no market ${symbol} in this run`);
    return book;
  }
  #allOrders(): Order[] {
    return this.#simulation.books.flatMap((book) => [...book.resting, ...book.atMarket]);
  }
  #drop(id: string): void {
    const known = this.#orders.get(id);
    this.#orders.delete(id);
    if (!known?.order) return;
    const { order } = known;
    this.#simulation.end(order, 'closed', '');
    for (const book of this.#simulation.books) {
      for (const list of [book.resting, book.atMarket]) {
        const at = list.indexOf(order);
        if (at >= 0) list.splice(at, 1);
      }
    }
  }

  /** 32 letters and digits, as exchanges take them. */
  #nextId(symbol: string): string {
    const parts = [this.#job.runId, this.#lastTime, symbol, this.#sequence++];
    return createHash('sha256').update(parts.join('|')).digest('hex').slice(0, 32);
  }
  #place(
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
      ...{ kind: 'place', id: this.#nextId(symbol), time: this.#simulation.now, symbol, side, type, amount },
      ...{ price: shown(price), stopPrice: shown(trigger), reason },
    };
  }
  #cancel(id: string, symbol: string, reason: string): Decision {
    const known = this.#orders.get(id);
    if (known) known.isCanceled = true;
    return { kind: 'cancel', id: this.#nextId(symbol), time: this.#simulation.now, symbol, order: id, reason };
  }

  /** What the strategy ordered and canceled at this bar. */
  #changes(before: ReadonlySet<Order>): Decision[] {
    const decisions: Decision[] = [];
    const now = new Set(this.#allOrders());
    for (const [id, { order, placing }] of this.#orders) {
      if (!order || now.has(order)) continue;
      decisions.push(this.#cancel(id, placing.symbol, 'Canceled by the strategy'));
      const known = this.#orders.get(id);
      if (known) known.order = null;
    }
    for (const order of now) {
      if (before.has(order)) continue;
      const book = this.#simulation.books[order.market] as Book;
      if (!order.isBuy) decisions.push(...this.#cancelExits(book));
      const { slippage, fees } = this.#simulation.setup;
      const unit = this.#simulation.closeOf(book) * (1 + slippage) * (1 + fees.taker);
      const amount = order.amount > 0 ? order.amount : book.amounts.floor(order.budget / unit);
      order.amount = amount;
      const placing = this.#place(book, order.side, order.type, amount, order.limit, order.trigger, order.reason);
      decisions.push(placing);
      const exits = { stop: shown(order.stop), takeProfit: shown(order.takeProfit) };
      this.#orders.set(placing.id, { placing, filled: 0, ...exits, exitOf: null, isCanceled: false, order });
    }
    return decisions;
  }

  /** What rests for the exits of purchases holds what the strategy now sells itself. */
  #cancelExits(book: Book): Decision[] {
    const decisions: Decision[] = [];
    for (const [id, { exitOf, placing, isCanceled }] of this.#orders) {
      if (exitOf === null || isCanceled || placing.symbol !== book.market.symbol) continue;
      decisions.push(this.#cancel(id, placing.symbol, 'The strategy sells'));
    }
    return decisions;
  }

  /** Brings what rests at the exchange to what the purchases want: one order for each. */
  #exits(): Decision[] {
    const decisions: Decision[] = [];
    for (const book of this.#simulation.books) {
      // While the strategy sells, nothing else may hold the amount.
      if (
        [...this.#orders.values()].some(
          ({ placing, exitOf }) => placing.symbol === book.market.symbol && placing.side === 'sell' && exitOf === null,
        )
      )
        continue;
      const wanted = new Map<string, Lot>();
      for (const lot of book.lots) {
        const purchase = this.#purchases.get(lot.order);
        if (purchase !== undefined && !(Number.isNaN(lot.stop) && Number.isNaN(lot.takeProfit)))
          wanted.set(purchase, lot);
      }
      for (const [id, { exitOf, placing, filled, isCanceled }] of this.#orders) {
        if (exitOf === null || isCanceled || placing.symbol !== book.market.symbol) continue;
        const lot = wanted.get(exitOf);
        const price = lot && (Number.isNaN(lot.stop) ? lot.takeProfit : lot.stop);
        const isSame =
          lot &&
          price === (placing.stopPrice ?? placing.price) &&
          Math.abs(placing.amount - filled - lot.amount) < 1e-12;
        if (isSame || placing.type === 'market') wanted.delete(exitOf);
        else decisions.push(this.#cancel(id, placing.symbol, 'The exit changed'));
      }
      for (const [purchase, lot] of wanted) {
        const isStop = !Number.isNaN(lot.stop);
        const [type, limit, trigger] = isStop
          ? (['stop', Number.NaN, lot.stop] as const)
          : (['limit', lot.takeProfit, Number.NaN] as const);
        const placing = this.#place(book, 'sell', type, lot.amount, limit, trigger, isStop ? 'Stop' : 'Take profit');
        decisions.push(placing);
        this.#orders.set(placing.id, {
          placing,
          filled: 0,
          stop: null,
          takeProfit: null,
          exitOf: purchase,
          isCanceled: false,
          order: null,
        });
      }
    }
    return decisions;
  }

  /** Of purchases that have a stop too: sold at the market once a bar was that high. */
  #watchTakeProfits(bars: readonly LiveBar[]): Decision[] {
    const decisions: Decision[] = [];
    for (const { symbol, high } of bars) {
      const book = this.#bookOf(symbol);
      for (const lot of book.lots) {
        if (Number.isNaN(lot.stop) || !(lot.takeProfit <= high)) continue;
        const purchase = this.#purchases.get(lot.order) ?? '';
        const exits = [...this.#orders].filter(([, each]) => each.exitOf === purchase && !each.isCanceled);
        if (exits.some(([, { placing }]) => placing.type === 'market')) continue;
        for (const [id] of exits) decisions.push(this.#cancel(id, symbol, 'Take profit'));
        const placing = this.#place(book, 'sell', 'market', lot.amount, Number.NaN, Number.NaN, 'Take profit');
        decisions.push(placing);
        this.#orders.set(placing.id, {
          placing,
          filled: 0,
          stop: null,
          takeProfit: null,
          exitOf: purchase,
          isCanceled: false,
          order: null,
        });
      }
    }
    return decisions;
  }

  /** A bar that was seen and is another now. */
  #revision(bar: LiveBar): LiveRevision[] {
    if (this.#lastTime === null || bar.time > this.#lastTime) return [];
    const { columns } = this.#columns[this.#bookOf(bar.symbol).index] as Growing;
    const row = columns.time.indexOf(bar.time);
    const { symbol, time } = bar;
    if (row < 0) return [{ symbol, time, message: 'The bar came too late: the strategy has decided without it' }];
    const names = (['open', 'high', 'low', 'close', 'volume'] as const).filter(
      (name) => columns[name][row] !== bar[name],
    );
    if (names.length === 0) return [];
    const changes = names.map((name) => `${name} was ${columns[name][row]}, is ${bar[name]}`);
    return [{ symbol, time, message: `The bar was revised: ${changes.join(', ')}` }];
  }
}

/** Columns with room for more rows. */
class Growing {
  #room: Columns;
  #count: number;
  constructor(columns: Columns) {
    this.#room = columns;
    this.#count = columns.time.length;
  }
  get columns(): Columns {
    return sliceCandles(this.#room, 0, this.#count);
  }
  add(bar: LiveBar): void {
    if (this.#count === this.#room.time.length) {
      const larger = emptyCandles(Math.max(this.#count * 2, 64));
      for (const name of columnNames) larger[name].set(this.#room[name]);
      this.#room = larger;
    }
    for (const name of columnNames) this.#room[name][this.#count] = bar[name];
    this.#count++;
  }
}
const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
