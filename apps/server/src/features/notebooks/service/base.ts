import { text } from 'node:stream/consumers';
import { NotANotebook, type NotebookFile, readNotebook } from '@atoll/notebook';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';

/** Files that were read lately; a blob never changes, so neither does what is read from it. */
const kept = new Map<string, { file: NotebookFile; size: number }>();
const mostKept = 64 * 1024 ** 2;
/** Larger ones are read again each time: they would push out all others. */
const largestKept = 24 * 1024 ** 2;
let keptSize = 0;

export async function readText(ctx: Context, blob: string): Promise<string> {
  const content = await ctx.blobs.get(blob);
  if (!content) throw new Error('The content of a notebook is gone');
  return text(content);
}

/** A notebook's file; what is none is told with the reason. */
export async function readBase(ctx: Context, blob: string): Promise<NotebookFile> {
  const known = kept.get(blob);
  if (known) {
    // The newest are at the end.
    kept.delete(blob);
    kept.set(blob, known);
    return known.file;
  }
  const content = await readText(ctx, blob);
  const file = parsed(content);
  if (content.length <= largestKept) keep(blob, file, content.length);
  return file;
}

function keep(blob: string, file: NotebookFile, size: number): void {
  kept.set(blob, { file, size });
  keptSize += size;
  for (const [oldest, { size: freed }] of kept) {
    if (keptSize <= mostKept) break;
    kept.delete(oldest);
    keptSize -= freed;
  }
}

function parsed(content: string): NotebookFile {
  try {
    return readNotebook(content);
  } catch (error) {
    if (!(error instanceof NotANotebook)) throw error;
    throw new AppError('unprocessable_entity', `This notebook cannot be opened. ${error.message}`, {
      details: { reason: 'not_a_notebook', kind: error.kind },
    });
  }
}
