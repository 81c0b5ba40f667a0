import type { CellOutput } from '@atoll/contract';
import { cutNotebook, type Place, placesInList } from './cut.ts';
import {
  assertReadable,
  type FileCell,
  NotANotebook,
  type NotebookFile,
  readNotebook,
  readOutputs,
  summed,
} from './read.ts';
import { type WrittenNotebook, writeNotebook } from './write.ts';

export type { Place } from './cut.ts';

const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Reads a list of outputs of a file one after the other, with only one of them in memory. */
export function* outputsIn(bytes: Uint8Array, cell = 0, problems: string[] = []): Generator<CellOutput> {
  for (const { from, to } of placesInList(bytes)) {
    const value: unknown = JSON.parse(textOf(bytes.subarray(from, to)));
    // The list is nested: a list within a cell within the list of cells.
    assertReadable(value, 4);
    yield* readOutputs([value], cell, problems);
  }
}

/**
 * Makes the entry of a cell from its outputs and their place in the file; the place is null for outputs that are not worth
 * reading there.
 */
type Taken<Cell> = (cell: FileCell, outputs: Iterable<CellOutput>, place: Place | null) => Cell;

/** Reads a notebook of many megabytes with only the results of `Taken` in memory, and not all outputs. */
export function readLarge<Cell>(bytes: Uint8Array, take: Taken<Cell>): Omit<NotebookFile, 'cells'> & { cells: Cell[] } {
  const cut = cutNotebook(bytes, () => '[]');
  const { cells, metadata, problems, raw } = readNotebook(cut?.text ?? textOf(bytes));
  const more: string[] = [];
  const taken = cells.map((cell, index) => {
    const place = cut?.outputs.get(index) ?? null;
    const outputs = place ? within(outputsIn(bytes.subarray(place.from, place.to), index, more)) : cell.outputs;
    return take(cell, outputs, place);
  });
  return { cells: taken, metadata, problems: summed([...problems, ...more]), raw };
}

/** Throws the same error for invalid outputs as for the file as a whole. */
function* within(outputs: Generator<CellOutput>): Generator<CellOutput> {
  try {
    yield* outputs;
  } catch (error) {
    if (error instanceof NotANotebook) throw error;
    throw new NotANotebook(`It is not whole: ${(error as Error).message}`, 'json');
  }
}

/** The same as `writeNotebook`; unchanged outputs are copied from the bytes of the file. */
export function writeLarge(bytes: Uint8Array, notebook: WrittenNotebook, name: string): Uint8Array {
  const cut = cutNotebook(bytes, (cell) => `["${name}-${cell}"]`);
  if (!cut) return new TextEncoder().encode(writeNotebook(textOf(bytes), notebook));
  const written = writeNotebook(cut.text, notebook);
  const mark = new RegExp(`\\[\\s*"${name}-(\\d+)"\\s*\\]`, 'g');
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const found of written.matchAll(mark)) {
    const place = cut.outputs.get(Number(found[1]));
    if (!place) continue;
    parts.push(Buffer.from(written.slice(at, found.index)), bytes.subarray(place.from, place.to));
    at = found.index + found[0].length;
  }
  parts.push(Buffer.from(written.slice(at)));
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const part of parts) {
    whole.set(part, to);
    to += part.length;
  }
  return whole;
}
