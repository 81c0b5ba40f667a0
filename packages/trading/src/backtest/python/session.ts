import { sliceCandles } from '../../candles.ts';
import { type Interval, intervalMs } from '../../port.ts';
import { StrategyError } from '../code/load.ts';
import type { ParameterValues } from '../code/parameters.ts';
import type { Book } from '../engine/book.ts';
import { rowAt } from '../engine/columns.ts';
import { type Frame as BarFrame, valuesOf } from '../engine/frame.ts';
import type { Simulation } from '../engine/simulation.ts';
import type { Bars, FillNote, Handlers, OrderOptions, Series, Source } from '../engine/strategy.ts';
import { MarketView } from '../engine/views.ts';
import { bytesOf, doublesOf, type Frame, listOf } from '../hosts/frames.ts';
import type { Host } from '../hosts/host.ts';

/** Python decides this many bars by itself at most, which is also how far is looked for what could be filled. */
const block = 4_096;

const lineKinds = ['sma', 'ema', 'rsi', 'atr', 'standardDeviation', 'highest', 'lowest', 'momentum'] as const;
/** A method of the view is called by this name. */
function lineKindOf(name: string): (typeof lineKinds)[number] {
  const kind = lineKinds.find((each) => each === name);
  if (!kind) throw new Error(`There is no indicator ${name}`);
  return kind;
}
type Place = { market: number; interval: Interval };
/** What Python asks, at a step: it waits until the engine is there and answers. */
type Request = { step: number; logs?: [number, string][]; dropped?: number; random: number } & (
  | { ask: 'step' }
  | { ask: 'error'; message: string; line: number | null }
  | ({ ask: 'lines'; kind: string; numbers: number[]; of: string | { line: number } | null } & Place)
  | ({ ask: 'column'; name: string } & Place)
  | ({ ask: 'timeframe' } & Place)
  | { ask: 'order'; market: number; isBuy: boolean; options: Record<string, unknown>; reason: string }
  | { ask: 'close'; market: number; reason: string }
  | { ask: 'cancel'; market: number; order: unknown }
  | { ask: 'protect'; market: number; exits: Record<string, unknown> }
  | { ask: 'weights'; shares: Record<string, unknown>; drift: unknown; reason: string }
);

const notFinite = new Set<unknown>(['NaN', 'Infinity', '-Infinity']);
/** JSON has no words for these. */
const numberOf = (value: unknown): unknown => (notFinite.has(value) ? Number(value) : value);
const numbersOf = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, numberOf(value)]));

/** Only of the bars that it has: those of a run over more bars may be shared. */
const shownOf = (frame: BarFrame, line: Series) => valuesOf(line).subarray(0, frame.columns.time.length);

/**
 * One pass of a strategy in Python. The engine asks at each bar as it asks any strategy; Python has decided many of them
 * before, up to the first at which something could happen to the account without a decision of its own, and waits with each
 * request until the engine has come to its bar.
 */
export class PythonSession implements Handlers {
  readonly #python: Host;
  readonly #simulation: Simulation;
  readonly #views: MarketView[];
  readonly #depositSteps: number[];
  /** Lines that are on the other side, by their frame. */
  readonly #handedOver = new Map<BarFrame, Set<number>>();
  /** Of bars that come one by one: the rows of each frame that are there, in the order in which Python has the frames. */
  readonly #given = new Map<BarFrame, number>();
  readonly #isFollowed: boolean;
  #times: Float64Array;
  #fills: unknown[][] = [];
  #request: Request;
  #payload: Uint8Array = new Uint8Array(0);

  constructor(python: Host, code: string, simulation: Simulation, isFollowed = false) {
    this.#python = python;
    this.#isFollowed = isFollowed;
    this.#simulation = simulation;
    const { setup, books, times, first, state, randomState } = simulation;
    this.#views = books.map((book) => new MarketView(book, simulation));
    this.#times = times;
    this.#depositSteps = (setup.deposits ?? [])
      .map(({ at }) => Math.max(rowAt(times, at), first))
      .sort((a, b) => a - b);
    python.leave();
    if (isFollowed) for (const { frame } of books) this.#given.set(frame, this.#due(frame));
    const bars = python.bars(books.map(({ frame }) => sliceCandles(frame.columns, 0, this.#given.get(frame))));
    const markets = books.map(({ market: { symbol, base, quote }, frame }, index) => ({
      ...{ interval: frame.interval, length: intervalMs[frame.interval], names: [symbol, base, quote] },
      bars: bars[index],
    }));
    python.current = this;
    // Whoever stores what the strategy keeps, asks Python for it.
    const initial = JSON.stringify(state);
    Object.defineProperty(state, 'toJSON', {
      value: () =>
        python.current === this ? this.#ask({ do: 'state' }).message.state : (JSON.parse(initial) as unknown),
    });
    const parameters: ParameterValues = setup.parameters;
    this.#request = this.#next({
      ...{ do: 'run', code, parameters, markets, first, random: randomState, state: JSON.parse(initial), isFollowed },
      ms: Math.ceil(python.limitMs),
    });
    while (this.#request.step < 0) this.#request = this.#next(...this.#answer(this.#request));
  }

  onBar(): void {
    const simulation = this.#simulation;
    if (simulation.times !== this.#times) this.#extend();
    while (this.#request.step <= simulation.step) this.#request = this.#next(...this.#answer(this.#request));
  }
  onFill({ market, order, side, amount, price, fee }: FillNote): void {
    const index = this.#simulation.books.findIndex((book) => book.market.symbol === market.symbol);
    this.#fills.push([index, order, side, amount, price, fee]);
  }

  #ask(message: object, payload?: Uint8Array): Frame {
    const frame = this.#python.exchange(message, payload);
    if (frame.message.ask === 'error') this.#fail(frame.message as Request & { ask: 'error' });
    return frame;
  }
  #next(message: object, payload?: Uint8Array): Request {
    const frame = this.#python.exchange(message, payload);
    this.#payload = frame.payload;
    const request = frame.message as Request;
    const simulation = this.#simulation;
    for (const [step, text] of request.logs ?? []) simulation.log(text, step);
    simulation.droppedLogs += request.dropped ?? 0;
    simulation.randomState = request.random | 0;
    return request;
  }
  #fail({ message, line }: Request & { ask: 'error' }): never {
    throw new StrategyError({ code: 'error', message, at: null, line });
  }

  #answer(request: Request): [object, Uint8Array?] {
    const simulation = this.#simulation;
    if (request.ask === 'error') return this.#fail(request);
    if (request.ask === 'step') {
      const fills = this.#fills;
      this.#fills = [];
      const { step, randomState: random } = simulation;
      const answer = { step, random, fills, ...this.#account() };
      return this.#isFollowed ? this.#more(answer) : [answer];
    }
    try {
      if (request.ask === 'lines') return this.#lines(request);
      if (request.ask === 'column') return this.#column(request);
      if (request.ask === 'timeframe') {
        const frame = this.#frame(request);
        if (this.#isFollowed) this.#given.set(frame, this.#due(frame));
        const columns = sliceCandles(frame.columns, 0, this.#given.get(frame));
        return [{ length: intervalMs[request.interval] }, bytesOf(listOf(columns))];
      }
      return [{ value: this.#act(request), ...this.#account() }];
    } catch (error) {
      if (error instanceof StrategyError && error.isEnded) throw error;
      return [{ error: error instanceof Error ? error.message : String(error) }];
    }
  }

  #act(request: Request): number {
    const simulation = this.#simulation;
    if (request.ask === 'weights') {
      const shares = numbersOf(request.shares) as Record<string, number>;
      simulation.weights(shares, numberOf(request.drift) as number, request.reason);
      return 0;
    }
    if (!('market' in request)) throw new Error(`There is nothing called ${request.ask}`);
    const view = this.#views[request.market] as MarketView;
    if (request.ask === 'order') {
      const options: OrderOptions = { ...numbersOf(request.options), reason: request.reason };
      return request.isBuy ? view.buy(options) : view.sell(options);
    }
    if (request.ask === 'close') return view.closePosition(request.reason);
    if (request.ask === 'cancel') view.cancel(request.order === null ? undefined : (request.order as number));
    else if (request.ask === 'protect') view.protect(numbersOf(request.exits));
    return 0;
  }

  /** What is owned, and up to which step nothing happens to it by itself. */
  #account(): { account: number[]; quiet: number } {
    const { books, cash } = this.#simulation;
    const account = [cash];
    for (const book of books) {
      const oldest = book.lots[0]?.step ?? -1;
      account.push(book.position, book.entryPrice, oldest, book.resting.length + book.atMarket.length);
    }
    return { account, quiet: this.#quiet() };
  }

  #quiet(): number {
    const { step, books, times, setup } = this.#simulation;
    if (this.#isFollowed) return step;
    let until = Math.min(step + block, times.length - 1);
    const deposit = this.#depositSteps.find((each) => each > step);
    if (deposit !== undefined) until = Math.min(until, deposit - 1);
    // A debugger looks at this bar: what comes after it must not have happened.
    const { recordFrom } = setup;
    if (recordFrom !== undefined && step <= recordFrom) until = Math.min(until, Math.max(recordFrom, step));
    for (const book of books) {
      if (book.atMarket.length > 0) return step;
      if (book.isWatched) until = this.#untilTouched(book, until);
    }
    return Math.max(until, step);
  }
  #untilTouched(book: Book, until: number): number {
    const { times } = this.#simulation;
    const { row, columns } = book.frame;
    const { time, low, high } = columns;
    const { lowTrigger, highTrigger, nextExpiry } = book;
    const end = Math.min(until, nextExpiry - 2);
    const last = times[end] as number;
    for (let next = row + 1; next < time.length && (time[next] as number) <= last; next++) {
      if ((low[next] as number) <= lowTrigger || (high[next] as number) >= highTrigger) {
        return rowAt(times, time[next] as number) - 1;
      }
    }
    return end;
  }

  #view({ market, interval }: Place): Bars {
    return (this.#views[market] as MarketView).timeframe(interval);
  }
  #frame(place: Place): BarFrame {
    const book = this.#simulation.books[place.market] as Book;
    this.#view(place);
    return place.interval === book.frame.interval ? book.frame : book.longerFrame(place.interval);
  }

  #lines(request: Request & { ask: 'lines' }): [object, Uint8Array] {
    const frame = this.#frame(request);
    const view = this.#view(request);
    const { kind } = request;
    const numbers = request.numbers.map(numberOf) as number[];
    const [one = Number.NaN, two = Number.NaN, three = Number.NaN] = numbers;
    const of =
      request.of === null
        ? undefined
        : typeof request.of === 'object'
          ? (frame.lines[request.of.line] as Series)
          : (request.of as Source);
    const made =
      kind === 'bollinger'
        ? Object.values(view.bollinger(one, two, of))
        : kind === 'donchian'
          ? Object.values(view.donchian(one))
          : kind === 'macd'
            ? Object.values(view.macd(one, two, three, of))
            : [view[lineKindOf(kind)](one, of)];
    if (this.#isFollowed && (made as Series[]).some((line) => frame.own.has(line))) {
      const message = 'indicators of a column of its own cannot be computed bar by bar';
      throw new StrategyError({ code: 'error', message, at: null, line: null }, true);
    }
    const known = this.#known(frame);
    const values: Float64Array[] = [];
    const lines = (made as Series[]).map((line) => {
      const index = frame.lines.indexOf(line as (typeof frame.lines)[number]);
      const isNew = !known.has(index);
      known.add(index);
      if (isNew) values.push(shownOf(frame, line).subarray(0, this.#given.get(frame)));
      return { index, isNew, name: line.name };
    });
    return [{ lines }, bytesOf(values)];
  }
  #known(frame: BarFrame): Set<number> {
    const known = this.#handedOver.get(frame) ?? new Set<number>();
    this.#handedOver.set(frame, known);
    return known;
  }

  #column(request: Request & { ask: 'column' }): [object] {
    const frame = this.#frame(request);
    const { market, interval, name } = request;
    const line = frame.lines.length;
    let given: Float64Array | null = doublesOf(this.#payload);
    const compute = (): Float64Array => {
      const values = given;
      given = null;
      if (values) return values;
      const question = { do: 'compute', market, interval, name, line, rows: frame.columns.time.length };
      return doublesOf(this.#ask(question, bytesOf(listOf(frame.columns))).payload);
    };
    frame.add(name, compute, null);
    this.#known(frame).add(line);
    return [{ index: line }];
  }

  /** Rows of bars that have closed by the present step; before the first one, by its beginning. */
  #due(frame: BarFrame): number {
    const { step, first, times, length } = this.#simulation;
    const now = step >= 0 ? (times[step] as number) + length : (times[first] ?? Number.POSITIVE_INFINITY);
    const { time } = frame.columns;
    let rows = this.#given.get(frame) ?? rowAt(time, now - intervalMs[frame.interval] + 1);
    while (rows < time.length && (time[rows] as number) + intervalMs[frame.interval] <= now) rows++;
    return rows;
  }
  /** The bars that have closed with this step, each with the values of its lines. */
  #more(answer: object): [object, Uint8Array] {
    const { step, times } = this.#simulation;
    const numbers = [times[step] as number];
    const rows: number[] = [];
    for (const [frame, given] of this.#given) {
      const due = this.#due(frame);
      rows.push(due - given);
      if (due === given) continue;
      const columns = [
        ...listOf(frame.columns),
        ...[...this.#known(frame)].flatMap((index) => {
          const line = frame.lines[index] as Series;
          return frame.own.has(line) ? [] : [valuesOf(line)];
        }),
      ];
      for (let row = given; row < due; row++) for (const column of columns) numbers.push(column[row] as number);
      this.#given.set(frame, due);
    }
    return [{ ...answer, rows }, new Uint8Array(Float64Array.from(numbers).buffer)];
  }

  /** Of a live run: there are more bars. */
  #extend(): void {
    const { books, times } = this.#simulation;
    this.#times = times;
    for (const [market, book] of books.entries()) {
      for (const frame of [book.frame, ...book.longer.map((each) => each.frame)]) {
        const lines = [...this.#known(frame)];
        const values = lines.map((index) => shownOf(frame, frame.lines[index] as Series));
        this.#ask(
          { do: 'extend', market, interval: frame.interval, rows: frame.columns.time.length, lines },
          bytesOf([...listOf(frame.columns), ...values]),
        );
      }
    }
  }
}
