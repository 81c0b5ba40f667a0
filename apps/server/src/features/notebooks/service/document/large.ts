import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CellOutput, PublicationPayload } from '@atoll/contract';
import { type FileCell, NotANotebook, type NotebookFile, type WrittenNotebook } from '@atoll/notebook';
import type { Article, ArticlePart } from '@atoll/notebook/article';
import type { KeptPictures } from '@atoll/notebook/kept-pictures';
import type { Place } from '@atoll/notebook/large';
import { appState } from '../../../../platform/app-state.ts';
import type { Context } from '../../../../platform/context.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { Amount, pieceOf } from '../cells/pieces.ts';
import type { ExportedType } from '../export/exported.ts';

/** From here on a notebook is taken apart beside the server: others would wait for it. */
export const largeFrom = 4 * 1024 ** 2;

/** A cell with as much of what it shows as is sent with the notebook, and how much there is. */
export interface OutlinedCell extends FileCell {
  /** `place`: where in the file the rest is. */
  all?: Amount & { place: Place | null };
}
export interface Outline extends NotebookFile {
  cells: OutlinedCell[];
}

export type LargeJob =
  | { kind: 'outline' }
  /** Null: what is given is nothing but what the cell shows. */
  | { kind: 'outputs'; cellId: string | null }
  | { kind: 'piece'; cellId: string | null; from: number; amount: Amount }
  | { kind: 'write'; notebook: WrittenNotebook }
  | { kind: 'export'; type: ExportedType; path: string }
  | { kind: 'pictures'; pictures: KeptPictures }
  | { kind: 'article'; payload: PublicationPayload; part?: ArticlePart | undefined };

interface Answers {
  outline: Outline;
  outputs: CellOutput[];
  piece: ReturnType<typeof pieceOf>;
  write: Uint8Array;
  export: string;
  article: Article;
  pictures: Uint8Array;
}

/** A file, or a place in it: where it lies on this machine, so that it is in memory once. */
export type LargeContent =
  | { path: string; place: Place | null; bytes?: undefined }
  | { bytes: Uint8Array; path?: undefined; place?: undefined };

export interface LargeQuestion {
  content: LargeContent;
  job: LargeJob;
}

type FromWorker = { answer: Answers[LargeJob['kind']] } | { problem: { message: string; kind: NotANotebook['kind'] } };

const main = join(import.meta.dirname, 'large-worker.ts');
/** A file of 200 MB needs less than half of it. */
const mostMemoryMb = 3_072;

const thread = appState(() => ({ before: Promise.resolve() as Promise<unknown> }));

/** One after the other: however many are opened at once, the server needs memory for one of them. */
export function inThread<Job extends LargeJob>(
  ctx: Context,
  read: () => Promise<LargeContent>,
  job: Job,
): Promise<Answers[Job['kind']]> {
  const last = thread(ctx);
  const next = last.before.then(async () => ask(await read(), job));
  last.before = next.catch(() => {});
  return next as Promise<Answers[Job['kind']]>;
}

function ask(content: LargeContent, job: LargeJob): Promise<Answers[LargeJob['kind']]> {
  return new Promise((resolve, reject) => {
    const question: LargeQuestion = { content, job };
    const { bytes } = content;
    const isWhole = bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
    const worker = new Worker(main, {
      workerData: question,
      // Given away, not copied; a part of what others use cannot be.
      transferList: isWhole ? [bytes.buffer as ArrayBuffer] : [],
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    });
    worker.once('message', (message: FromWorker) => {
      if ('answer' in message) resolve(message.answer);
      else reject(new NotANotebook(message.problem.message, message.problem.kind));
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(isTooLarge ? new AppError('unprocessable_entity', 'This notebook is too large to be opened.') : error);
    });
    worker.once('exit', () => reject(new Error('The reading of a notebook ended without an answer')));
  });
}
