import { Readable } from 'node:stream';
import { compareCells, initialRanks, takeItems, withItems } from '@atoll/notebook';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { preparedRows } from '../../../../platform/db/prepared-statement.ts';
import { saveContent } from '../../../files/service/store.ts';
import type { FileRow } from '../../../files/table.ts';
import { storable } from '../../../kernels/service/store-batch.ts';
import { type CellRow, type NotebookRow, notebookCells, notebookItems, notebooks } from '../../table.ts';
import { inParts, readBase, writtenOver } from '../base.ts';
import { executionsByIds, outputsOfExecutions } from '../cells/shown.ts';
import { metadataToSave, type Widgets, widgetsHere } from './saved-widgets.ts';

type NewCellRow = typeof notebookCells.$inferInsert;

/** The cells of a file as they are before anybody changes them: the same whenever they are asked for. */
export async function cellsOfFile(ctx: Context, fileId: string, blob: string): Promise<CellRow[]> {
  const { cells } = await readBase(ctx, blob);
  const ranks = initialRanks(cells.length);
  return cells.map((cell, index) => ({
    fileId,
    id: cell.id,
    rank: ranks[index] ?? '',
    type: cell.type,
    source: storable(cell.source),
    metadata: storable(cell.metadata),
    attachments: storable(cell.attachments),
    revision: 0,
    shown: 'file',
    outputs: null,
    updatesCount: 0,
    executionId: null,
    executionCount: cell.executionCount,
    executedById: null,
    deletedAt: null,
    deletedById: null,
  }));
}

/** Whether the cells that are stored are those of the file as it is now. */
export const isCurrent = (row: NotebookRow | null, file: FileRow): boolean =>
  row !== null && row.baseVersion === file.version;

export async function findNotebook(db: Context['db'], fileId: string): Promise<NotebookRow | null> {
  const [row] = await db.select().from(notebooks).where(eq(notebooks.fileId, fileId));
  return row ?? null;
}

/** The notebook's row, made when there is none; nobody else changes it until the end of the transaction. */
export async function lockNotebook(write: Write, file: FileRow): Promise<NotebookRow> {
  const known = await lockedNotebook(write, file.id);
  if (known) return known;
  await write.tx.insert(notebooks).values({ fileId: file.id, projectId: file.projectId }).onConflictDoNothing();
  const made = await lockedNotebook(write, file.id);
  if (!made) throw new Error('The notebook was not stored');
  return made;
}

export async function lockedNotebook({ tx }: Write, fileId: string): Promise<NotebookRow | null> {
  const [row] = await lockingRow(tx, { fileId });
  return row ?? null;
}

const lockingRow = preparedRows(notebooks, { where: sql`file_id = ${sql.placeholder('fileId')} for update` });

/** Before the first change: the cells of the file are stored one by one. */
export async function adopt(ctx: Context, write: Write, file: FileRow): Promise<NotebookRow> {
  const row = await lockNotebook(write, file);
  if (isCurrent(row, file)) return row;
  return replaceCells(ctx, write, row, row.unsavedSince ? await keepUnsaved(ctx, write, row, file) : file);
}

export async function replaceCells(ctx: Context, write: Write, row: NotebookRow, file: FileRow): Promise<NotebookRow> {
  const { metadata, items } = takeItems(storable((await readBase(ctx, file.blob)).metadata));
  const cells = await cellsOfFile(ctx, file.id, file.blob);
  // Revisions go on, so that whoever still has the old cells takes the new ones.
  const revision = row.revision + 1;
  // The bin stays, but for what is back.
  const ids = cells.map(({ id }) => id);
  const isOld = or(isNull(notebookCells.deletedAt), inArray(notebookCells.id, ids));
  await write.tx.delete(notebookCells).where(and(eq(notebookCells.fileId, file.id), isOld));
  for (let from = 0; from < cells.length; from += batchSize) {
    const batch = cells.slice(from, from + batchSize).map((cell): NewCellRow => ({ ...cell, revision }));
    await write.tx.insert(notebookCells).values(batch);
  }
  await write.tx.delete(notebookItems).where(eq(notebookItems.fileId, file.id));
  for (let from = 0; from < items.length; from += batchSize) {
    const batch = items.slice(from, from + batchSize).map((item) => ({ ...item, fileId: file.id, revision }));
    await write.tx.insert(notebookItems).values(batch);
  }
  const values = {
    baseBlob: file.blob,
    baseVersion: file.version,
    metadata,
    headRevision: row.headRevision + 1,
    revision,
    unsavedSince: null,
    changedAt: null,
  };
  await write.tx.update(notebooks).set(values).where(eq(notebooks.fileId, file.id));
  return { ...row, ...values };
}

/** A statement takes 65,535 values. */
const batchSize = 2_000;

/** The file was replaced while there were edits that had not reached it: they become a version before the newest. */
async function keepUnsaved(ctx: Context, write: Write, row: NotebookRow, file: FileRow): Promise<FileRow> {
  const { content } = await writtenWith(ctx, write.tx, row, widgetsHere(ctx, row));
  const { sha256, size } = await ctx.blobs.put(Readable.from(inParts(content)), maxNotebook);
  const edits = { blob: sha256, size };
  const kept = await saveContent(ctx, write, file, edits, { name: 'Edits before the file was replaced' });
  const { blob, size: newest } = file;
  const current = await saveContent(ctx, write, kept, { blob, size: newest });
  await write.emit('files.changed', { project_id: file.projectId, file_ids: [file.id], change: 'saved' });
  return current;
}

export const itemsOf = (db: Context['db'], fileId: string) =>
  db
    .select({ id: notebookItems.id, fields: notebookItems.fields, revision: notebookItems.revision })
    .from(notebookItems)
    .where(eq(notebookItems.fileId, fileId));

export const maxNotebook = 200 * 1024 ** 2;

/** Those that are in nobody's bin; all of them, or some. */
export const liveCells = (db: Context['db'], fileId: string, ids?: string[]) =>
  db
    .select()
    .from(notebookCells)
    .where(
      and(
        eq(notebookCells.fileId, fileId),
        isNull(notebookCells.deletedAt),
        ids ? inArray(notebookCells.id, ids) : undefined,
      ),
    );

/** The notebook as a file, with everything that is not saved yet, and the cells it was made from. */
export async function writtenWith(
  ctx: Context,
  db: Context['db'],
  row: NotebookRow,
  widgets: Widgets,
): Promise<{ content: Uint8Array; cells: CellRow[]; endedIds: string[]; metadata: NotebookRow['metadata'] }> {
  const cells = (await liveCells(db, row.fileId)).sort(compareCells);
  const ids = cells.flatMap(({ shown, executionId }) => (shown === 'execution' && executionId ? executionId : []));
  // Asked before what they show is read: of one that ends in between, the end would be missing in the file.
  const executed = await executionsByIds(db, ids);
  const ended = [...executed.values()].filter(({ endedAt }) => endedAt !== null);
  const outputs = await outputsOfExecutions(db, ids);
  const written = cells.map((cell) => ({
    ...cell,
    shown:
      cell.shown === 'file'
        ? null
        : {
            executionCount: executed.get(cell.executionId ?? '')?.executionCount ?? cell.executionCount,
            outputs: cell.shown === 'own' ? (cell.outputs ?? []) : (outputs.get(cell.executionId ?? '') ?? []),
          },
  }));
  const metadata = await metadataToSave(ctx, row, widgets, written);
  const whole = withItems(metadata, await itemsOf(db, row.fileId));
  const content = await writtenOver(ctx, row.baseBlob, { metadata: whole, cells: written });
  return { content, cells, endedIds: ended.map(({ id }) => id), metadata };
}
