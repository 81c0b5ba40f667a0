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

/** A larger notebook is processed in another thread, because other requests would wait for it. */
export const largeFrom = 4 * 1024 ** 2;

/** A cell with the outputs that are sent with the notebook, and the amount of all of them. */
export interface OutlinedCell extends FileCell {
  /** `place`: the range of all outputs in the file. */
  all?: Amount & { place: Place | null };
}
export interface Outline extends NotebookFile {
  cells: OutlinedCell[];
}

export type LargeJob =
  | { kind: 'outline' }
  /** Null: the content is only the outputs of the cell. */
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

/** A file, or a range of it; a local path keeps it out of this thread's memory. */
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

/** Runs jobs one after the other, so that the server needs memory for only one large notebook. */
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
      // The buffer is moved instead of copied; a part of a shared buffer cannot be moved.
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
