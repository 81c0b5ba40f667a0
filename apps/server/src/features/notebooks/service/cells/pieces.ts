import type { CellOutput } from '@atoll/contract';

/** The notebook is sent with at most so many bytes of the outputs of one cell; the client loads the rest. */
export const mostOfCell = 64 * 1024;
/** One message has at most so many bytes of it. */
const mostAtOnce = 1024 ** 2;
/** The first piece of a text is smaller than the limit, so that some of it is seen at once. */
const firstPiece = 32 * 1024;
const nextPieces = 512 * 1024;

export const sizeOf = (output: CellOutput): number =>
  output.output_type === 'stream' ? output.text.length : JSON.stringify(output).length;

export const sizeOfAll = (outputs: CellOutput[]): number => outputs.reduce((sum, each) => sum + sizeOf(each), 0);

/** Splits a text that is too long for one message into several; the client joins them to show them. */
export const inPieces = (outputs: Iterable<CellOutput>): CellOutput[] => [...piecesOf(outputs)];

function* piecesOf(outputs: Iterable<CellOutput>): Generator<CellOutput> {
  for (const output of outputs) {
    if (output.output_type !== 'stream' || output.text.length <= mostOfCell) {
      yield output;
      continue;
    }
    for (let from = 0; from < output.text.length; ) {
      const length = from === 0 ? firstPiece : nextPieces;
      const line = output.text.lastIndexOf('\n', from + length) + 1;
      const to = line > from ? line : wholeLetter(output.text, from + length);
      yield { ...output, text: output.text.slice(from, to) };
      from = to;
    }
  }
}

/** Keeps surrogate pairs together. */
const wholeLetter = (text: string, at: number): number => ((text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at);

/** Returns the first outputs up to the given size. */
export function fitting(all: CellOutput[], most: number): { outputs: CellOutput[]; size: number } {
  let size = 0;
  let count = 0;
  for (const each of all) {
    const next = sizeOf(each);
    if (size + next > most) break;
    size += next;
    count += 1;
  }
  return { outputs: all.slice(0, count), size };
}

/** The number and size of all outputs. */
export interface Amount {
  total: number;
  bytes: number;
}

/** Returns the first outputs up to the given size, and the total amount, with only these outputs in memory. */
export function beginningOf(
  outputs: Iterable<CellOutput>,
  most: number,
): Amount & { outputs: CellOutput[]; size: number } {
  const kept: CellOutput[] = [];
  let [total, bytes, size, isFull] = [0, 0, 0, false];
  for (const each of piecesOf(outputs)) {
    const next = sizeOf(each);
    total += 1;
    bytes += next;
    isFull ||= size + next > most;
    if (isFull) continue;
    size += next;
    kept.push(each);
  }
  return { outputs: kept, size, total, bytes };
}

/** Returns outputs of one cell from a position on, as many as one message holds, and at least one. */
export function pieceOf(given: Iterable<CellOutput>, from: number, known?: Amount) {
  const outputs: CellOutput[] = [];
  let [total, bytes, size, isFull] = [0, 0, 0, false];
  for (const each of piecesOf(given)) {
    const next = total >= from || !known ? sizeOf(each) : 0;
    if (total >= from) {
      isFull ||= outputs.length > 0 && size + next > mostAtOnce;
      if (isFull && known) break;
      if (!isFull) {
        size += next;
        outputs.push(each);
      }
    }
    total += 1;
    bytes += next;
  }
  return { outputs, from, outputs_total: known?.total ?? total, outputs_bytes: known?.bytes ?? bytes };
}
