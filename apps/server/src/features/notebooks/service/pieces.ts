import type { CellOutput } from '@atoll/contract';

/** Of what one cell shows, so much is sent with the notebook; the rest is asked for. */
export const mostOfCell = 64 * 1024;
/** And so much of it at once. */
const mostAtOnce = 1024 ** 2;
/** A text begins with less than fits, so that something of it is seen at once. */
const firstPiece = 32 * 1024;
const nextPieces = 512 * 1024;

export const sizeOf = (output: CellOutput): number =>
  output.output_type === 'stream' ? output.text.length : JSON.stringify(output).length;

export const sizeOfAll = (outputs: CellOutput[]): number => outputs.reduce((sum, each) => sum + sizeOf(each), 0);

/** A text too long for one message, as several: whoever shows them joins them. */
export function inPieces(outputs: CellOutput[]): CellOutput[] {
  return outputs.flatMap((output) => {
    if (output.output_type !== 'stream' || output.text.length <= mostOfCell) return output;
    const pieces: CellOutput[] = [];
    for (let from = 0; from < output.text.length; ) {
      const length = from === 0 ? firstPiece : nextPieces;
      const line = output.text.lastIndexOf('\n', from + length) + 1;
      const to = line > from ? line : wholeLetter(output.text, from + length);
      pieces.push({ ...output, text: output.text.slice(from, to) });
      from = to;
    }
    return pieces;
  });
}

/** Two halves of one character stay together. */
const wholeLetter = (text: string, at: number): number => ((text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at);

/** From the first one on, up to so much. */
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

/** Of what one cell shows, from a place on, as much as is sent at once; at least one. */
export function pieceOf(given: CellOutput[], from: number) {
  const all = inPieces(given);
  const rest = all.slice(from);
  const { outputs } = fitting(rest, mostAtOnce);
  return {
    outputs: outputs.length === 0 ? rest.slice(0, 1) : outputs,
    from,
    outputs_total: all.length,
    outputs_bytes: sizeOfAll(all),
  };
}
