import { type Interval, intervalMs } from '../../port.ts';
import type { Columns } from './columns.ts';
import type { Next } from './indicators.ts';
import type { Series, Source } from './strategy.ts';

const mostLines = 500;
const mostBytes = 256 * 1024 * 1024;

/** Where built-in indicators are kept: runs over the same bars, or over the first of them, share them. */
export class IndicatorCache {
  readonly #values = new Map<string, Float64Array>();
  #bytes = 0;
  readonly #longer: IndicatorCache | null;
  /** `longer` is of a run over the same bars and more: what it has serves here, and not the other way. */
  constructor(longer: IndicatorCache | null = null) {
    this.#longer = longer;
  }
  find(key: string): Float64Array | undefined {
    return this.#values.get(key) ?? this.#longer?.find(key);
  }
  get(key: string, compute: () => Float64Array): Float64Array {
    let values = this.find(key);
    if (!values) {
      values = compute();
      this.#bytes += values.byteLength;
      // A sweep asks for many; those in use are held by their runs.
      if (this.#bytes > mostBytes) {
        this.#values.clear();
        this.#bytes = values.byteLength;
      }
      this.#values.set(key, values);
    }
    return values;
  }
}

export const notPast = (bars: unknown) =>
  new Error(`${String(bars)} bars ago: only the present bar (0) and those before it (1, 2, …) can be read`);

/** What the engine may see of a line and a strategy may not: it would see the future too. */
export let valuesOf: (line: Series) => Float64Array;
export let frameOf: (line: Series) => Frame | null;
let setValues: (line: Line, values: Float64Array) => void;

const crossing = { none: 0, above: 1, below: 2 } as const;
function crossingOf(before: number, now: number, otherBefore: number, otherNow: number): number {
  if (now > otherNow) return before <= otherBefore ? crossing.above : crossing.none;
  return now < otherNow && before >= otherBefore ? crossing.below : crossing.none;
}
/** By the values, which runs over the same bars share. */
const knownCrossings = new WeakMap<Float64Array, WeakMap<Float64Array, Uint8Array>>();
const noCrossings = new Uint8Array(0);
function crossingsOf(values: Float64Array, others: Float64Array): Uint8Array {
  const known = knownCrossings.get(values) ?? new WeakMap<Float64Array, Uint8Array>();
  let crossings = known.get(others);
  if (!crossings) {
    knownCrossings.set(values, known);
    const count = Math.min(values.length, others.length);
    crossings = new Uint8Array(count);
    let [before, otherBefore] = [Number.NaN, Number.NaN];
    for (let row = 0; row < count; row++) {
      const now = values[row] as number;
      const otherNow = others[row] as number;
      crossings[row] = crossingOf(before, now, otherBefore, otherNow);
      before = now;
      otherBefore = otherNow;
    }
    known.set(others, crossings);
  }
  return crossings;
}

export class Line implements Series {
  readonly name: string;
  #values: Float64Array;
  readonly #frame: Frame;
  /** The line that it is compared with, which is one and the same at nearly every bar, and where the two cross. */
  #partner: Series | null = null;
  #crossings: Uint8Array = noCrossings;
  static {
    valuesOf = (line) => (line as Line).#values;
    setValues = (line, values) => {
      line.#values = values;
      line.#partner = null;
    };
    frameOf = (line) => (typeof line === 'object' && line !== null && #frame in line ? line.#frame : null);
  }
  constructor(name: string, values: Float64Array, frame: Frame) {
    this.name = name;
    this.#values = values;
    this.#frame = frame;
  }
  get value(): number {
    const row = this.#frame.row;
    return row < 0 ? Number.NaN : (this.#values[row] as number);
  }
  ago(bars: number): number {
    if (!(bars >= 0) || !Number.isInteger(bars)) throw notPast(bars);
    const row = this.#frame.row - bars;
    return row < 0 ? Number.NaN : (this.#values[row] as number);
  }
  crossesAbove(other: Series | number): boolean {
    const row = this.#frame.row;
    if (row < 1) return false;
    return (other === this.#partner ? this.#crossings[row] : this.#crossing(other, row)) === crossing.above;
  }
  crossesBelow(other: Series | number): boolean {
    const row = this.#frame.row;
    if (row < 1) return false;
    return (other === this.#partner ? this.#crossings[row] : this.#crossing(other, row)) === crossing.below;
  }
  #crossing(other: Series | number, row: number): number {
    const now = this.#values[row] as number;
    const before = this.#values[row - 1] as number;
    if (typeof other === 'number') return crossingOf(before, now, other, other);
    const line = other as Line;
    if (line.#frame !== this.#frame) return crossingOf(before, now, other.ago(1), other.value);
    if (this.#partner === null && !this.#frame.room) {
      this.#partner = line;
      this.#crossings = crossingsOf(this.#values, line.#values);
    }
    return crossingOf(before, now, line.#values[row - 1] as number, line.#values[row] as number);
  }
}

export type Compute = (values: Float64Array, phase: (length: number) => number) => Float64Array;

/** Bars of one market in one time frame, seen up to `row`. */
export class Frame {
  readonly interval: Interval;
  columns: Columns;
  /** Every indicator that was asked for, in this order. */
  readonly lines: Line[] = [];
  /** Those that the strategy computes itself and that may look ahead. */
  readonly own = new Set<Series>();
  row = -1;
  isFresh = false;
  readonly #cache: IndicatorCache;
  readonly #key: string;
  readonly #makers: { make: () => Float64Array; key: string | null; next: ((row: number) => number) | null }[] = [];
  /** Of bars that come one by one: how many there can be. 0 where all are there. */
  readonly room: number;

  constructor(interval: Interval, columns: Columns, cache: IndicatorCache, key: string, room = 0) {
    this.interval = interval;
    this.columns = columns;
    this.#cache = cache;
    this.#key = key;
    this.room = room;
  }

  /** The same line for the same name and source. */
  line(
    name: string,
    usual: Exclude<Source, Series> | null,
    source: Source | undefined,
    compute: Compute,
    next: Next,
  ): Line {
    const of = source ?? usual ?? 'close';
    let label = name;
    let isOwn = false;
    if (typeof of === 'string') {
      if (!Object.hasOwn(this.columns, of)) throw new Error(`${name}: there is no ${of}`);
      if (of !== usual && usual !== null) label = `${name} of ${of}`;
    } else {
      if (frameOf(of) !== this) throw new Error(`${name}: the series is not one of this market and time frame`);
      label = `${name} of ${of.name}`;
      isOwn = this.own.has(of);
    }
    const known = this.lines.find((line) => line.name === label);
    if (known && !isOwn) return known;
    // Sums of windows are cut by the number of the bar since 1970.
    const phase = (length: number) => Math.floor((this.columns.time[0] ?? 0) / intervalMs[this.interval]) % length;
    const values = () => (typeof of === 'string' ? this.columns[of] : valuesOf(of));
    const make = () => compute(values(), phase);
    if (isOwn) return this.add(label, make, null);
    const line = this.add(label, make, `${this.#key} ${label}`, (row) => next(row, values(), valuesOf(line), phase));
    return line;
  }
  /** `key` is of what the cache may have; the strategy's own lines have none. */
  add(name: string, make: () => Float64Array, key: string | null, next: ((row: number) => number) | null = null): Line {
    if (this.lines.length >= mostLines) throw new Error(`${name}: more than ${mostLines} series. Make them in start`);
    const line = new Line(
      name,
      this.room ? this.#begun(make, next) : key === null ? make() : this.#cache.get(key, make),
      this,
    );
    this.lines.push(line);
    this.#makers.push({ make, key, next });
    if (key === null) this.own.add(line);
    return line;
  }
  /** What there is up to now; of built-in indicators with room for what comes. */
  #begun(make: () => Float64Array, next: ((row: number) => number) | null): Float64Array {
    const isEmpty = this.columns.time.length === 0;
    if (!next) return isEmpty ? new Float64Array(0) : make();
    const values = new Float64Array(this.room).fill(Number.NaN);
    if (!isEmpty) values.set(make().subarray(0, this.columns.time.length));
    return values;
  }
  /** One more bar. */
  grow(columns: Columns): void {
    this.columns = columns;
    const row = columns.time.length - 1;
    for (const [index, { make, next }] of this.#makers.entries()) {
      const line = this.lines[index] as Line;
      if (next) valuesOf(line)[row] = next(row);
      else setValues(line, make());
    }
  }
  /** More bars than before. */
  extend(columns: Columns): void {
    this.columns = columns;
    for (const [index, { make, key }] of this.#makers.entries()) {
      const known = key === null ? undefined : this.#cache.find(key);
      const isEnough = known && known.length >= columns.time.length;
      setValues(this.lines[index] as Line, isEnough ? known : make());
    }
  }
}
