import { callWidth } from '../engine/calls.ts';
import type { Columns } from '../engine/columns.ts';
import type { IndicatorCache } from '../engine/frame.ts';
import type { Recorder } from '../engine/recorder.ts';
import { bytesOf, columnsOf, doublesOf, type Frame, largestPayload } from '../hosts/frames.ts';
import { noBytes } from '../hosts/host.ts';
import type { StrategyProblem } from '../job.ts';
import { FollowedRun } from './followed-run.ts';
import type { FollowOrder, RunAnswer, RunOrder, SeenLine } from './host-protocol.ts';
import { describeLoaded, type LoadedStrategy, loadScript, warmUpFor } from './load.ts';
import type { ParameterValues } from './parameters.ts';
import { problemOf } from './prepare.ts';

const mostCaches = 2;
const limitedOutside = 600_000;
const tooManyCalls: StrategyProblem = {
  code: 'error',
  message: `It orders, cancels and protects more than ${Math.floor(largestPayload / 8 / callWidth / 1e5) / 10} million times. Test fewer bars, or longer ones.`,
  ...{ at: null, line: null },
};

/**
 * The process of a strategy in TypeScript, or what stands for it in a test. It runs the strategy over bars it was given and
 * answers what was called; nothing that it computes is believed.
 */
export class StrategyHost {
  /** Columns in the order in which they come. */
  readonly #bars = new Map<number, Float64Array[]>();
  readonly #caches = new Map<string, IndicatorCache>();
  /** As text: reading it in each process would take longer than a run. */
  #engine = '';
  #equity = new Float64Array(0);
  #followed: FollowedRun | null = null;
  /** By the clock; null where the processor's time is limited from outside. */
  readonly #limitMs: number | null;

  constructor(limitMs: number | null) {
    this.#limitMs = limitMs;
  }

  answer({ message, payload }: Frame): Frame {
    try {
      return this.#answer(message, payload);
    } catch (error) {
      const { problem } = problemOf(error, null);
      return { message: { problem }, payload: noBytes };
    }
  }

  #answer(message: Record<string, unknown>, payload: Uint8Array): Frame {
    const said = (answer: object): Frame => ({ message: answer as Frame['message'], payload: noBytes });
    switch (message.do) {
      case 'hello':
        this.#engine = message.engine as string;
        return said({ version: '' });
      case 'bars':
        for (const id of message.forget as number[]) this.#bars.delete(id);
        this.#bars.set(message.id as number, [...(this.#bars.get(message.id as number) ?? []), doublesOf(payload)]);
        return said({});
      case 'load':
        return said(describeLoaded(this.#load(message)));
      case 'warmUp': {
        const bars = warmUpFor(this.#load(message), message.parameters as ParameterValues);
        return said({ bars: Number.isFinite(bars) ? bars : String(bars) });
      }
      case 'follow': {
        const loaded = this.#load(message);
        const limitMs = this.#limitMs ?? 0;
        this.#followed = new FollowedRun(loaded, message as unknown as FollowOrder, (work) =>
          loaded.guard(work, limitMs),
        );
        return said({});
      }
      case 'history':
        this.#followed?.history(message, payload);
        return said({});
      case 'start':
        return (this.#followed as FollowedRun).start();
      case 'step':
        return (this.#followed as FollowedRun).step(payload);
      case 'run':
        return this.#run(this.#load(message), message as unknown as RunOrder);
      default:
        throw new Error('This is not known here');
    }
  }

  #load({ code }: Record<string, unknown>): LoadedStrategy {
    if (this.#limitMs !== null) return loadScript(code as string, this.#engine);
    return { ...loadScript(code as string, this.#engine, limitedOutside), guard: (work) => work() };
  }

  #columns([id, from, to]: [number, number, number]): Columns {
    return columnsOf((this.#bars.get(id) as Float64Array[]).map((values) => values.subarray(from, to)));
  }

  /** Runs over the same bars share their indicators. */
  #cache(order: RunOrder, make: () => IndicatorCache): IndicatorCache {
    const key = JSON.stringify(order.markets.map(({ bars }) => bars));
    const known = this.#caches.get(key) ?? make();
    this.#caches.set(key, known);
    for (const oldest of this.#caches.keys()) if (this.#caches.size > mostCaches) this.#caches.delete(oldest);
    return known;
  }

  #run(loaded: LoadedStrategy, order: RunOrder): Frame {
    const { realm } = loaded;
    const { settings, steps, end, wants } = order;
    if (this.#equity.length !== steps) this.#equity = new Float64Array(steps);
    const finer = (bars: RunOrder['markets'][number]['finer']) =>
      bars ? { finer: { interval: bars.interval, columns: realm.columnsOf(this.#columns(bars.bars)) } } : {};
    let run: Recorder | null = null;
    let problem: RunAnswer['problem'] = null;
    try {
      loaded.guard(() => {
        run = new realm.engine.Recorder({
          ...settings,
          load: loaded.fresh,
          state: realm.copy({}),
          markets: order.markets.map((market) => ({
            ...{ symbol: market.symbol, base: market.base, quote: market.quote, rules: market.rules },
            columns: realm.columnsOf(this.#columns(market.bars)),
            ...finer(market.finer),
          })),
          cache: this.#cache(order, () => new realm.engine.IndicatorCache()),
          equity: this.#equity,
          recordFrom: Number.POSITIVE_INFINITY,
        });
        run.run(end ?? undefined);
      }, this.#limitMs ?? 0);
    } catch (error) {
      ({ problem } = problemOf(error, null));
    }
    const ran = run as Recorder | null;
    const answer: RunAnswer = {
      problem,
      step: ran?.step ?? -1,
      calls: 0,
      reasons: ran?.callReasons ?? [''],
      logs: ran?.logs.map(({ step, text }) => [step, text]) ?? [],
      dropped: ran?.droppedLogs ?? 0,
      own: [],
      seen: null,
    };
    if (!ran) return { message: answer as unknown as Frame['message'], payload: noBytes };
    if (ran.calls.values.byteLength > largestPayload)
      return { message: { ...answer, problem: tooManyCalls, step: 0 }, payload: noBytes };
    answer.calls = ran.calls.count;
    const values: Float64Array[] = [ran.calls.values];
    if (wants === 'columns') values.push(...this.#ownColumns(loaded, ran, answer));
    if (wants === 'seen') {
      // A debugger shows it; it may be anything.
      const state = JSON.parse(JSON.stringify(ran.state) ?? '{}') as Record<string, unknown>;
      answer.seen = { lines: seenLines(loaded, ran), state };
    }
    return { message: answer as unknown as Frame['message'], payload: bytesOf(values) };
  }

  /** Those that the strategy computed itself, as far as there is room: they are compared with those of shorter data. */
  #ownColumns({ realm }: LoadedStrategy, run: Recorder, answer: RunAnswer): Float64Array[] {
    const columns: Float64Array[] = [];
    let bytes = run.calls.values.byteLength;
    for (const [market, book] of run.books.entries()) {
      for (const frame of [book.frame, ...book.longer.map((each) => each.frame)]) {
        for (const line of frame.lines) {
          if (!frame.own.has(line)) continue;
          const values = realm.engine.valuesOf(line);
          bytes += values.byteLength;
          if (bytes > largestPayload) return columns;
          columns.push(values);
          answer.own.push({ market, interval: frame.interval, name: line.name.slice(0, 200), rows: values.length });
        }
      }
    }
    return columns;
  }
}

function seenLines({ realm }: LoadedStrategy, run: Recorder): SeenLine[] {
  return run.books.flatMap((book, market) =>
    [book.frame, ...book.longer.map(({ frame }) => frame)].flatMap((frame) =>
      frame.lines.map((line) => {
        const values = realm.engine.valuesOf(line);
        const shown = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
        return {
          ...{ market, interval: frame.interval, name: line.name.slice(0, 200) },
          ...{ value: shown(values[frame.row]), previous: shown(values[frame.row - 1]) },
        };
      }),
    ),
  );
}
