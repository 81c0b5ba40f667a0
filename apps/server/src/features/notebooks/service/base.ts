import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CellOutput, PublicationPayload } from '@atoll/contract';
import { NotANotebook, readNotebook, type WrittenNotebook, writeNotebook } from '@atoll/notebook';
import type { ArticlePart } from '@atoll/notebook/article';
import type { KeptPictures } from '@atoll/notebook/kept-pictures';
import { outputsIn, type Place } from '@atoll/notebook/large';
import { appState } from '../../../platform/app-state.ts';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { pieceOf, sizeOfAll } from './cells/pieces.ts';
import { mapInBatches } from './document/in-batches.ts';
import { inThread, type LargeContent, type LargeJob, largeFrom, type Outline } from './document/large.ts';
import type { ExportedType } from './export/exported.ts';

/** Cache of recently read files; a blob never changes, so its parsed file stays valid. */
const lately = appState(() => ({ files: new Map<string, { file: Outline; size: number }>(), size: 0 }));
const mostKept = 64 * 1024 ** 2;
/** Larger files are read again each time, because they would replace all others in the cache. */
const largestKept = 24 * 1024 ** 2;
/** Reads of large notebooks in progress; later readers of the same blob wait for the same read. */
const beingRead = appState(() => new Map<string, Promise<Outline>>());

const bytesOf = (ctx: Context, blob: string, place: Place | null = null): Promise<Readable> =>
  readBlob(ctx, blob, place ? { start: place.from, end: place.to - 1 } : undefined);

/** Returns null for a file too large to read on this thread. */
async function smallText(ctx: Context, blob: string): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await bytesOf(ctx, blob)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largeFrom) return null;
  }
  return Buffer.concat(chunks).toString();
}

async function aside<Job extends LargeJob>(ctx: Context, blob: string, job: Job, place: Place | null = null) {
  return withReason(() => inThread(ctx, () => contentOf(ctx, blob, place), job));
}

async function contentOf(ctx: Context, blob: string, place: Place | null): Promise<LargeContent> {
  const path = await ctx.blobs.localPath(blob);
  return path ? { path, place } : { bytes: await buffer(await bytesOf(ctx, blob, place)) };
}

/**
 * Reads a notebook's file; for a large one, only as much of the outputs as is sent. Throws with the reason for an invalid
 * file.
 */
export async function readBase(ctx: Context, blob: string): Promise<Outline> {
  const { files } = lately(ctx);
  const known = files.get(blob);
  if (known) {
    // The newest files are at the end.
    files.delete(blob);
    files.set(blob, known);
    return known.file;
  }
  const content = await smallText(ctx, blob);
  if (content !== null) return keep(ctx, blob, await withReason(async () => readNotebook(content)), content.length);
  const reading = beingRead(ctx);
  const asked = reading.get(blob);
  if (asked) return asked;
  const outline = aside(ctx, blob, { kind: 'outline' }).then(async (file) => {
    // Receiving it from the other thread took a while, so other requests are answered first.
    await nextTurn();
    return keep(ctx, blob, file, await weightOf(file));
  });
  reading.set(blob, outline);
  return outline.finally(() => reading.delete(blob));
}

/** Returns all outputs of a cell in the file. */
export async function outputsInBase(ctx: Context, blob: string, cellId: string): Promise<CellOutput[]> {
  const cell = (await readBase(ctx, blob)).cells.find(({ id }) => id === cellId);
  if (!cell?.all) return cell?.outputs ?? [];
  const { place } = cell.all;
  const here = await shownAt(ctx, blob, place);
  return here ? [...here] : aside(ctx, blob, { kind: 'outputs', cellId: place ? null : cellId }, place);
}

/** Reads the outputs of one cell; null where they are too large to read on this thread. */
async function shownAt(ctx: Context, blob: string, place: Place | null): Promise<Iterable<CellOutput> | null> {
  if (!place || place.to - place.from > largeFrom) return null;
  return outputsIn(await buffer(await bytesOf(ctx, blob, place)));
}

/** Returns the outputs of a cell in the file from a position on, as much as one message holds. */
export async function pieceInBase(ctx: Context, blob: string, cellId: string, from: number) {
  const cell = (await readBase(ctx, blob)).cells.find(({ id }) => id === cellId);
  if (!cell?.all) return pieceOf(cell?.outputs ?? [], from);
  const { place, ...amount } = cell.all;
  const here = await shownAt(ctx, blob, place);
  if (here) return pieceOf(here, from, amount);
  return aside(ctx, blob, { kind: 'piece', cellId: place ? null : cellId, from, amount }, place);
}

export async function exportedBase(ctx: Context, blob: string, type: ExportedType, path: string): Promise<string> {
  const file = await readBase(ctx, blob);
  // A page of formulas takes seconds to draw.
  return type === 'html' || file.cells.some(({ all }) => all)
    ? aside(ctx, blob, { kind: 'export', type, path })
    : (await import('./export/exported.ts')).exported(file, type, path);
}

/** Converts the file to an article in another thread, because a page of formulas takes seconds to draw. */
export const articleOf = (ctx: Context, blob: string, payload: PublicationPayload, part?: ArticlePart) =>
  aside(ctx, blob, { kind: 'article', payload, part });

/** Returns the file with pictures of other servers in it. */
export const keepPictures = (ctx: Context, blob: string, pictures: KeptPictures) =>
  aside(ctx, blob, { kind: 'pictures', pictures });

/** Returns the file with the changes of the notebook. */
export async function writtenOver(ctx: Context, blob: string | null, notebook: WrittenNotebook): Promise<Uint8Array> {
  const base = blob ? await smallText(ctx, blob) : '';
  const shown = notebook.cells.reduce((sum, cell) => sum + sizeOfAll(cell.shown?.outputs ?? []), 0);
  if (base !== null && (blob === null || shown < largeFrom)) return Buffer.from(writeNotebook(base, notebook));
  return aside(ctx, blob ?? '', { kind: 'write', notebook });
}

/** Splits content, so that other requests are answered while a large one is hashed and stored. */
export function* inParts(content: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < content.length; from += part) yield content.subarray(from, from + part);
}
const part = 1024 ** 2;

async function weightOf({ cells }: Outline): Promise<number> {
  const weights = await mapInBatches(
    cells,
    ({ source, metadata, attachments, outputs }) =>
      source.length + JSON.stringify([metadata, attachments, outputs]).length,
  );
  return weights.reduce((sum, weight) => sum + weight, 0);
}

function keep(ctx: Context, blob: string, file: Outline, size: number): Outline {
  if (size > largestKept) return file;
  const kept = lately(ctx);
  if (!kept.files.has(blob)) kept.size += size;
  kept.files.set(blob, { file, size });
  for (const [oldest, { size: freed }] of kept.files) {
    if (kept.size <= mostKept) break;
    kept.files.delete(oldest);
    kept.size -= freed;
  }
  return file;
}

async function withReason<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotANotebook)) throw error;
    throw new AppError('unprocessable_entity', `This notebook cannot be opened. ${error.message}`, {
      details: { reason: 'not_a_notebook', kind: error.kind },
    });
  }
}
