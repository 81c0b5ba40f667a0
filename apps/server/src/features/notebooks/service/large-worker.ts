import { parentPort, workerData } from 'node:worker_threads';
import { NotANotebook, readNotebook, writeNotebook } from '@atoll/notebook';
import type { LargeJob, LargeQuestion } from './large.ts';
import { fitting, inPieces, mostOfCell, pieceOf, sizeOfAll } from './pieces.ts';

/** One job with one large notebook, in a thread that ends with it. */

const { bytes, job } = workerData as LargeQuestion;
const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

async function answerOf(wanted: LargeJob): Promise<unknown> {
  if (wanted.kind === 'write') {
    const written = new TextEncoder().encode(writeNotebook(text, wanted.notebook));
    parentPort?.postMessage({ answer: written }, [written.buffer]);
    return undefined;
  }
  const file = readNotebook(text);
  if (wanted.kind === 'outline') {
    const cells = file.cells.map((cell) => {
      const all = inPieces(cell.outputs);
      const { outputs } = fitting(all, mostOfCell);
      return { ...cell, outputs, raw: {}, all: { total: all.length, bytes: sizeOfAll(all) } };
    });
    return { ...file, cells, raw: {} };
  }
  if (wanted.kind === 'export') {
    const { exported } = await import('./exported.ts');
    return exported(file, wanted.type, wanted.path);
  }
  const outputs = file.cells.find(({ id }) => id === wanted.cellId)?.outputs ?? [];
  return wanted.kind === 'outputs' ? outputs : pieceOf(outputs, wanted.from);
}

try {
  const answer = await answerOf(job);
  if (answer !== undefined) parentPort?.postMessage({ answer });
} catch (error) {
  if (!(error instanceof NotANotebook)) throw error;
  parentPort?.postMessage({ problem: { message: error.message, kind: error.kind } });
}
