import { baseName, tableFormatOf } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import type { PageQuestion, Selection, TableSource } from '../../../platform/tables/tables.ts';
import { findContent } from './versions.ts';

interface FileVersion {
  projectId: string;
  fileId: string;
  versionId: string | null;
}

async function tableOf(ctx: Context, { projectId, fileId, versionId }: FileVersion): Promise<TableSource> {
  const { file, blob, size } = await findContent(ctx, projectId, fileId, versionId);
  const format = tableFormatOf(baseName(file.path));
  if (!format) {
    const message =
      'This file is not a table. Tables are csv, tsv, json and jsonl files, also as .gz or .zst, and parquet and xlsx files.';
    throw new AppError('unsupported_media_type', message);
  }
  if (format === 'xlsx') checkFlag(ctx, 'excel');
  return { sha256: blob, size, format };
}

/** Whom the work is done for: an account, or an address where there is none. */
const callerOf = (ctx: Context) => ctx.actor.userId ?? ctx.credentials.ip;

export const readTable = async (ctx: Context, file: FileVersion, question: PageQuestion) =>
  ctx.tables.page(await tableOf(ctx, file), question, callerOf(ctx));

export const describeColumn = async (ctx: Context, file: FileVersion, question: Selection & { column: string }) =>
  ctx.tables.statistics(await tableOf(ctx, file), question, callerOf(ctx));
