import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { NotANotebook, readNotebook } from '@atoll/notebook';
import { outputsIn, readLarge, writeLarge } from '@atoll/notebook/large';
import { beginningOf, mostOfCell, pieceOf } from '../cells/pieces.ts';
import type { LargeContent, LargeJob, LargeQuestion, OutlinedCell } from './large.ts';

/** One job with one large notebook, in a thread that ends with it. */

const { content, job } = workerData as LargeQuestion;

async function bytesOf({ bytes, path, place }: LargeContent): Promise<Uint8Array> {
  if (bytes) return bytes;
  if (!place) return readFileSync(path);
  const file = await open(path);
  try {
    const part = new Uint8Array(place.to - place.from);
    await file.read(part, 0, part.length, place.from);
    return part;
  } finally {
    await file.close();
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The limit of outputs sent with a notebook, doubled for cells that were moved to the front. */
const mostOfOutline = 8 * 1024 ** 2;

function outlineOf(bytes: Uint8Array) {
  let left = mostOfOutline;
  return readLarge(bytes, (cell, given, place): OutlinedCell => {
    const { outputs, size, total, bytes } = beginningOf(given, Math.min(left, mostOfCell));
    left -= size;
    return { ...cell, outputs, raw: {}, all: { total, bytes, place } };
  });
}

async function answerOf(wanted: LargeJob): Promise<unknown> {
  const bytes = await bytesOf(content);
  if (wanted.kind === 'write') {
    const written = writeLarge(bytes, wanted.notebook, crypto.randomUUID());
    parentPort?.postMessage({ answer: written }, [written.buffer as ArrayBuffer]);
    return undefined;
  }
  if (wanted.kind === 'outline') return { ...outlineOf(bytes), raw: {} };
  if (wanted.kind === 'export') {
    const { exported } = await import('../export/exported.ts');
    return exported(readNotebook(textOf(bytes)), wanted.type, wanted.path);
  }
  if (wanted.kind === 'article') {
    const { notebookAsArticle } = await import('@atoll/notebook/article');
    return notebookAsArticle(readNotebook(textOf(bytes)), wanted.payload, wanted.part);
  }
  if (wanted.kind === 'pictures') {
    const { withKeptPictures } = await import('@atoll/notebook/kept-pictures');
    return new TextEncoder().encode(withKeptPictures(textOf(bytes), wanted.pictures));
  }
  const outputs = wanted.cellId === null ? outputsIn(bytes) : outputsOf(bytes, wanted.cellId);
  return wanted.kind === 'outputs' ? [...outputs] : pieceOf(outputs, wanted.from, wanted.amount);
}

const outputsOf = (bytes: Uint8Array, cellId: string) =>
  readNotebook(textOf(bytes)).cells.find(({ id }) => id === cellId)?.outputs ?? [];

try {
  const answer = await answerOf(job);
  if (answer !== undefined) parentPort?.postMessage({ answer });
} catch (error) {
  if (!(error instanceof NotANotebook)) throw error;
  parentPort?.postMessage({ problem: { message: error.message, kind: error.kind } });
}
