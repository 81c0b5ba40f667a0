import type { Columns } from '../engine/columns.ts';
import { bytesOf, type Frame, listOf } from './frames.ts';

export type Language = 'typescript' | 'python';
/** Why there is no answer: the process did not start, took too much time or memory, ended, or said something that is none. */
export type HostEnding = 'start' | 'time' | 'memory' | 'end' | 'garbage';
export class HostEnded extends Error {
  override name = 'HostEnded';
  readonly ending: HostEnding;
  constructor(ending: HostEnding) {
    super(`The strategy's process has ended: ${ending}`);
    this.ending = ending;
  }
}

/** Id, first row and the one after the last. */
export type KeptBars = [id: number, from: number, to: number];

interface Kept {
  id: number;
  /** Held, so that its memory is not another one's. */
  columns: Columns;
}
/** Bars that were handed over and are kept there, beside those of the run that is being prepared. */
const mostKept = 64;
export const noBytes = new Uint8Array(0);

/** Where people's code runs: asked with plain data, and believed in nothing but the form of its answers. */
export abstract class Host {
  /** The run of Python that it is in: one at a time. */
  current: object | null = null;
  /** Processor time for the current request. */
  limitMs = 0;
  /** Of the whole process, where that is what ends it; a fork of Python is limited by the request. */
  cpuSeconds: number | null = null;
  readonly #kept: Kept[] = [];
  #nextId = 0;

  abstract exchange(message: object, payload?: Uint8Array): Frame;
  /** Nothing of it goes on afterwards. */
  abstract end(): void;

  /** Where the bars of one run are on the other side, handed over when they are not there yet. */
  bars(all: readonly Columns[]): KeptBars[] {
    const used = new Set<number>();
    return all.map((columns) => {
      const kept = this.#keep(columns, used);
      used.add(kept[0]);
      return kept;
    });
  }

  #keep(columns: Columns, used: ReadonlySet<number>): KeptBars {
    const rows = columns.time.length;
    for (const { id, columns: kept } of this.#kept) {
      const from = (columns.time.byteOffset - kept.time.byteOffset) / 8;
      const keptList = listOf(kept);
      const isWithin = listOf(columns).every((column, index) => {
        const whole = keptList[index] as Float64Array;
        const offset = (column.byteOffset - whole.byteOffset) / 8;
        return column.buffer === whole.buffer && offset === from && from >= 0 && from + rows <= whole.length;
      });
      if (isWithin) return [id, from, from + rows];
    }
    const id = this.#nextId++;
    const isOver = this.#kept.length >= mostKept;
    const oldest = isOver ? this.#kept.findIndex((each) => !used.has(each.id)) : -1;
    const forget = oldest < 0 ? [] : this.#kept.splice(oldest, 1).map((each) => each.id);
    this.#kept.push({ id, columns });
    // One by one: all six of a long test are more than a frame may carry.
    for (const column of listOf(columns)) this.exchange({ do: 'bars', id, forget }, bytesOf([column]));
    return [id, 0, rows];
  }

  /** Ends the current run of Python, so that the next one begins without its state. */
  leave(): void {
    if (this.current) this.exchange({ do: 'end' });
    this.current = null;
  }
}

export interface Hosts {
  language: Language;
  /** A new process with an empty world: it shares nothing with those before it. */
  open(): Host;
}
