import { checkJob, problemOf } from '../code/prepare.ts';
import type { Book } from '../engine/book.ts';
import { GrowingColumns } from '../engine/growing-columns.ts';
import { Order } from '../engine/order.ts';
import type { Simulation } from '../engine/simulation.ts';
import { timelineOf } from '../engine/timeline.ts';
import { cancelExits, updateExits, watchTakeProfits } from './live-exits.ts';
import { hidden, LiveOrders, shown } from './live-orders.ts';
import type { Decision, LiveAnswer, LiveBar, LiveFill, LiveJob, LiveRevision, LiveState } from './live-types.ts';
import { type LiveWorld, liveWorld } from './live-world.ts';

const barTimeLimitMs = 5_000;

/**
 * The same strategy object as in a backtest, asked after each closed bar. What it decides is answered, not carried out: the
 * journal and the gate are around it, and fills are told to it. The stop of a purchase rests at the exchange as an order of
 * its own; its take-profit too where it has no stop, else it is watched here, for both cannot hold the same amount.
 */
export class LiveStrategy {
  readonly #job: LiveJob;
  readonly #world: LiveWorld;
  readonly #simulation: Simulation;
  readonly #columns: GrowingColumns[];
  readonly #orders: LiveOrders;
  /** Bars that closed while nothing ran: of its history now. */
  #missed = 0;

  /** The columns are history up to now, of which the strategy decides nothing; `saved` is what an earlier one stored. */
  constructor(job: LiveJob, saved: LiveState | null = null) {
    checkJob(job);
    const world = liveWorld(job);
    this.#job = job;
    this.#world = world;
    const state = world.copy(saved?.state ?? {});
    try {
      this.#simulation = world.guard(() => new world.Simulation({ ...world.setup, state }), this.#limit);
    } catch (error) {
      throw problemOf(error, null);
    }
    this.#columns = job.markets.map(({ columns }) => new GrowingColumns(columns));
    this.#simulation.show();
    this.#orders = new LiveOrders(this.#simulation, job.runId);
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
    const fresh = bars.filter(({ time }) => this.#orders.lastTime === null || time > this.#orders.lastTime);
    const [first] = fresh;
    const nothing = { decisions: [], logs: [], revisions };
    if (!first) return nothing;
    if (fresh.some(({ time }) => time !== first.time)) throw new Error('Bars of different times came together');
    for (const bar of fresh) this.#columns[this.#orders.bookOf(bar.symbol).index]?.add(bar);
    this.#orders.lastTime = first.time;
    this.#orders.sequence = 0;
    const simulation = this.#simulation;
    const columns = this.#columns.map((each) => each.columns);
    const times = timelineOf(columns.map((each) => ({ columns: each })));
    const logged = simulation.logs.length;
    const decisions: Decision[] = [...this.#orders.expire(1 + this.#missed), ...watchTakeProfits(this.#orders, fresh)];
    this.#missed = 0;
    const placed = new Set(this.#allOrders());
    try {
      this.#world.guard(() => simulation.decide(columns.map(this.#world.columnsOf), times), this.#limit);
    } catch (error) {
      throw problemOf(error, first.time);
    }
    decisions.push(...this.#changes(placed), ...updateExits(this.#orders));
    const logs = simulation.logs.slice(logged).map(({ text }) => text);
    simulation.logs.length = Math.min(simulation.logs.length, 100);
    return { decisions, logs, revisions };
  }

  /** What the exchange filled. Answers the exits that now have to be placed or canceled. */
  onFill({ order: id, amount, price, fee }: LiveFill): Decision[] {
    const known = this.#orders.open.get(id);
    if (!known) return [];
    const simulation = this.#simulation;
    const { placing } = known;
    const book = this.#orders.bookOf(placing.symbol);
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
      const earlier = this.#orders.lotOf(book, id);
      const lot = simulation.recordBuy(book, order, amount, price, fee, simulation.step);
      // Filled in parts it is still one purchase with one exit.
      if (earlier) {
        earlier.price = (earlier.price * earlier.amount + price * amount) / (earlier.amount + amount);
        earlier.amount = book.amounts.round(earlier.amount + amount);
        earlier.fee += fee;
        book.lots.splice(book.lots.indexOf(lot), 1);
      } else this.#orders.purchases.set(order.id, id);
    } else if (known.exitOf !== null) {
      const lot = this.#orders.lotOf(book, known.exitOf);
      const cause = placing.type === 'stop' ? 2 : 3;
      if (lot) simulation.exitLot(book, lot, price, rate, simulation.step, cause, amount);
      else simulation.fillSell(book, order, price, rate, simulation.step);
    } else simulation.fillSell(book, order, price, rate, simulation.step);
    if (isWhole) this.#orders.drop(id);
    this.#orders.sequence = Math.max(this.#orders.sequence, 1_000);
    return updateExits(this.#orders);
  }

  /** Nothing more will be filled of it: canceled, expired or rejected. */
  onEnd(id: string): Decision[] {
    this.#orders.drop(id);
    this.#orders.sequence = Math.max(this.#orders.sequence, 1_000);
    return updateExits(this.#orders);
  }

  save(): LiveState {
    const simulation = this.#simulation;
    const timeOf = (step: number) => simulation.times[step] ?? 0;
    return {
      ...{
        runId: this.#job.runId,
        lastTime: this.#orders.lastTime,
        cash: simulation.cash,
        sequence: this.#orders.sequence,
      },
      ...{
        random: simulation.randomState,
        state: JSON.parse(JSON.stringify(simulation.state)) as Record<string, unknown>,
      },
      orders: [...this.#orders.open.values()].map(({ order: _, ...each }) => ({ ...each })),
      lots: simulation.books.flatMap((book) =>
        book.lots.map((lot) => ({
          ...{ symbol: book.market.symbol, amount: lot.amount, price: lot.price, fee: lot.fee, time: timeOf(lot.step) },
          ...{ stop: shown(lot.stop), takeProfit: shown(lot.takeProfit), reason: simulation.reasons[lot.reason] ?? '' },
          order: this.#orders.purchases.get(lot.order) ?? '',
        })),
      ),
    };
  }

  #restore(saved: LiveState): void {
    const simulation = this.#simulation;
    if (saved.runId !== this.#job.runId) throw new Error('The saved state is of another run');
    simulation.randomState = saved.random;
    this.#orders.sequence = saved.sequence;
    for (const lot of saved.lots) {
      const book = this.#orders.bookOf(lot.symbol);
      const order = new Order(++simulation.orderCount, book.index, true, 'market', simulation.step);
      order.reason = lot.reason;
      order.stop = hidden(lot.stop);
      order.takeProfit = hidden(lot.takeProfit);
      const step = simulation.times.findIndex((time) => time >= lot.time);
      simulation.recordBuy(book, order, lot.amount, lot.price, lot.fee, Math.max(step, 0));
      this.#orders.purchases.set(order.id, lot.order);
    }
    const { lastTime } = saved;
    if (lastTime !== null) this.#missed = simulation.times.filter((time) => time > lastTime).length;
    simulation.forgetFills();
    for (const each of saved.orders) {
      const { placing, exitOf } = each;
      const book = this.#orders.bookOf(placing.symbol);
      let order: Order | null = null;
      // One that is being canceled blocks nothing.
      if (exitOf === null && !each.isCanceled) {
        order = new Order(++simulation.orderCount, book.index, placing.side === 'buy', placing.type, simulation.step);
        order.amount = placing.amount - each.filled;
        order.limit = hidden(placing.price);
        order.trigger = hidden(placing.stopPrice);
        order.reserved = placing.side === 'buy' ? order.amount * (placing.price ?? placing.stopPrice ?? 0) : 0;
        simulation.reserved += order.reserved;
        (placing.type === 'market' ? book.atMarket : book.resting).push(order);
      }
      this.#orders.open.set(placing.id, { ...each, barsLeft: each.barsLeft ?? null, order });
    }
    simulation.cash = saved.cash;
  }

  #allOrders(): Order[] {
    return this.#simulation.books.flatMap((book) => [...book.resting, ...book.atMarket]);
  }
  /** What the strategy ordered and canceled at this bar. */
  #changes(before: ReadonlySet<Order>): Decision[] {
    const decisions: Decision[] = [];
    const now = new Set(this.#allOrders());
    for (const [id, { order, placing }] of this.#orders.open) {
      if (!order || now.has(order)) continue;
      decisions.push(this.#orders.cancel(id, placing.symbol, 'Canceled by the strategy'));
      const known = this.#orders.open.get(id);
      if (known) known.order = null;
    }
    for (const order of now) {
      if (before.has(order)) continue;
      const book = this.#simulation.books[order.market] as Book;
      if (!order.isBuy) decisions.push(...cancelExits(this.#orders, book));
      const { slippage, fees } = this.#simulation.setup;
      const unit = this.#simulation.closeOf(book) * (1 + slippage) * (1 + fees.taker);
      const amount = order.amount > 0 ? order.amount : book.amounts.floor(order.budget / unit);
      order.amount = amount;
      decisions.push(this.#orders.place(book, order));
    }
    return decisions;
  }

  /** A bar that was seen and is another now. */
  #revision(bar: LiveBar): LiveRevision[] {
    if (this.#orders.lastTime === null || bar.time > this.#orders.lastTime) return [];
    const { columns } = this.#columns[this.#orders.bookOf(bar.symbol).index] as GrowingColumns;
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
