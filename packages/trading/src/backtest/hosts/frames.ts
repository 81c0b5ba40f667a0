import { readSync, writeSync } from 'node:fs';
import type { Columns } from '../engine/columns.ts';

/** JSON, perhaps with doubles behind it. */
export interface Frame {
  message: Record<string, unknown>;
  payload: Uint8Array;
}

/** Of both sides: a column of the longest test, and more; and what a run says beside its numbers. */
export const largestPayload = 192 * 1024 ** 2;
const largestHead = 8 * 1024 ** 2;

const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
export const listOf = (columns: Columns) => columnNames.map((name) => columns[name]);

export const bytesOf = (columns: readonly Float64Array[]): Uint8Array => {
  const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.byteLength, 0));
  let at = 0;
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return bytes;
};
/** A copy: what was read is written over by the next answer. */
export const doublesOf = (bytes: Uint8Array): Float64Array =>
  new Float64Array(new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 8))).buffer);
export const columnsOf = (values: readonly Float64Array[]): Columns =>
  Object.fromEntries(columnNames.map((name, at) => [name, values[at]])) as unknown as Columns;

/** Frames through two pipes, written and read blocking: the engine is not interrupted while it waits. */
export class FramePipes {
  readonly #incoming: number;
  readonly #outgoing: number;
  #buffer = Buffer.alloc(65_536);

  constructor(incoming: number, outgoing: number) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  write(message: object, payload: Uint8Array): void {
    const head = Buffer.from(JSON.stringify(message));
    const first = Buffer.allocUnsafe(8 + head.length);
    first.writeUInt32LE(head.length, 0);
    first.writeUInt32LE(payload.length, 4);
    first.set(head, 8);
    const small = payload.length < 65_536;
    for (const part of small ? [Buffer.concat([first, payload])] : [first, payload]) {
      for (let at = 0; at < part.length; ) at += writeSync(this.#outgoing, part, at);
    }
  }

  /** Null where there is no more, or more than may come: it is counted before it is read. */
  read(): Frame | null {
    let length = 0;
    let size = 8;
    let head = 0;
    while (length < size) {
      if (this.#buffer.length < size) {
        const larger = Buffer.alloc(size);
        this.#buffer.copy(larger, 0, 0, length);
        this.#buffer = larger;
      }
      // Both sides wait for each other's answer, so nothing is read too far.
      const read = readSync(this.#incoming, this.#buffer, length, this.#buffer.length - length, null);
      if (read === 0) return null;
      length += read;
      if (size === 8 && length >= 8) {
        head = this.#buffer.readUInt32LE(0);
        const tail = this.#buffer.readUInt32LE(4);
        if (head > largestHead || tail > largestPayload) return null;
        size += head + tail;
      }
    }
    const message: unknown = JSON.parse(this.#buffer.toString('utf8', 8, 8 + head));
    if (typeof message !== 'object' || message === null) return null;
    return { message: message as Frame['message'], payload: this.#buffer.subarray(8 + head, size) };
  }
}
