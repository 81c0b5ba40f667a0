import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Columns } from '../engine/columns.ts';

/** Why there is no answer: the process ended. */
export class PythonEnded extends Error {
  override name = 'PythonEnded';
}

export interface Frame {
  message: Record<string, unknown>;
  payload: Uint8Array;
}

const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
const none = new Uint8Array(0);
/** Bars that were handed over and are kept there: those of a test and of its finer parts. */
const mostKept = 64;

export const bytesOf = (columns: readonly Float64Array[]): Uint8Array => {
  const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.byteLength, 0));
  let at = 0;
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return bytes;
};
export const listOf = (columns: Columns) => columnNames.map((name) => columns[name]);
/** A copy: what was read is written over by the next answer. */
export const doublesOf = (bytes: Uint8Array): Float64Array => new Float64Array(new Uint8Array(bytes).buffer);

interface Kept {
  id: number;
  /** Held, so that its memory is not another one's. */
  columns: Columns;
}

/** A column of the longest test, and more. */
const largestFrame = 96 * 1024 ** 2;

/**
 * The two pipes to a Python that runs strategies. The engine is not interrupted while it waits: a question is written, and
 * reading blocks until the answer is there.
 */
export class PythonConnection {
  readonly version: string;
  /** The run that Python is in: one at a time. */
  current: object | null = null;
  /** By the clock of this process; the fork is ended then. */
  deadline = Number.POSITIVE_INFINITY;
  readonly #outgoing: number;
  readonly #incoming: number;
  readonly #kept: Kept[] = [];
  #nextId = 0;
  #buffer = Buffer.alloc(65_536);
  #isEnded = false;

  /** Of a process that `launchPython` has started and that is ready. */
  constructor(folder: string) {
    this.#outgoing = openSync(join(folder, 'to'), constants.O_WRONLY);
    this.#incoming = openSync(join(folder, 'from'), constants.O_RDONLY);
    this.version = String(this.exchange({ do: 'hello' }).message.version);
  }

  get msLeft(): number {
    return Math.max(1, Math.ceil(Math.min(this.deadline - performance.now(), 86_400_000)));
  }

  exchange(message: object, payload: Uint8Array = none): Frame {
    if (this.#isEnded) throw new PythonEnded('The Python process has ended');
    try {
      this.#write(message, payload);
      return this.#read();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') this.#end();
      throw error;
    }
  }

  #write(message: object, payload: Uint8Array): void {
    const head = Buffer.from(JSON.stringify(message));
    const frame = Buffer.allocUnsafe(8 + head.length + payload.length);
    frame.writeUInt32LE(head.length, 0);
    frame.writeUInt32LE(payload.length, 4);
    frame.set(head, 8);
    frame.set(payload, 8 + head.length);
    for (let at = 0; at < frame.length; ) at += writeSync(this.#outgoing, frame, at);
  }
  #read(): Frame {
    let length = 0;
    let size = 8;
    let head = 0;
    while (length < size) {
      if (this.#buffer.length < size) {
        const larger = Buffer.alloc(size);
        this.#buffer.copy(larger, 0, 0, length);
        this.#buffer = larger;
      }
      const read = readSync(this.#incoming, this.#buffer, length, this.#buffer.length - length, null);
      if (read === 0) this.#end();
      length += read;
      if (size === 8 && length >= 8) {
        head = this.#buffer.readUInt32LE(0);
        size += head + this.#buffer.readUInt32LE(4);
        // What is on the other side is not to be trusted, and nothing watches the memory while this waits.
        if (size > largestFrame) this.#end();
      }
    }
    const message = JSON.parse(this.#buffer.toString('utf8', 8, 8 + head)) as Frame['message'];
    return { message, payload: this.#buffer.subarray(8 + head, size) };
  }
  #end(): never {
    this.#isEnded = true;
    throw new PythonEnded('The Python process has ended');
  }

  /** Where these bars are on the other side, handed over when they are not there yet: id, first row and the one after the last. */
  bars(columns: Columns): [number, number, number] {
    const rows = columns.time.length;
    for (const { id, columns: kept } of this.#kept) {
      const from = (columns.time.byteOffset - kept.time.byteOffset) / 8;
      const isWithin = (name: (typeof columnNames)[number]) =>
        columns[name].buffer === kept[name].buffer &&
        columns[name].byteOffset - kept[name].byteOffset === from * 8 &&
        from >= 0 &&
        from + rows <= kept.time.length;
      if (columnNames.every(isWithin)) return [id, from, from + rows];
    }
    const id = this.#nextId++;
    this.#kept.push({ id, columns });
    const forget = this.#kept.length > mostKept ? this.#kept.splice(0, 1).map((each) => each.id) : [];
    this.exchange({ do: 'bars', id, forget }, bytesOf(listOf(columns)));
    return [id, 0, rows];
  }

  /** A run that is over: the next one begins anew. */
  leave(): void {
    if (this.current) this.exchange({ do: 'end' });
    this.current = null;
  }

  close(): void {
    this.#isEnded = true;
    closeSync(this.#outgoing);
    closeSync(this.#incoming);
  }
}
