import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareCells, initialRanks, takeItems, withItems } from '@atoll/notebook';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { preparedRows } from '../../../../platform/db/prepared-statement.ts';
import { notFound } from '../../../../platform/errors.ts';
import { type LockedFile, saveContent } from '../../../files/service/store.ts';
import { type FileRow, files } from '../../../files/table.ts';
import { storable } from '../../../kernels/service/store-batch.ts';
import { findUser, personOf } from '../../../users/service.ts';
import { type CellRow, type NotebookRow, notebookCells, notebookItems, notebooks } from '../../table.ts';
import { type Address, assertNotebook, lockNotebookFile } from '../address.ts';
import { inParts, readBase, writtenOver } from '../base.ts';
import { executionsByIds, outputsOfExecutions } from '../cells/shown.ts';
import { mapInBatches } from './in-batches.ts';
import { metadataToSave, type Widgets, widgetsHere } from './saved-widgets.ts';

type NewCellRow = typeof notebookCells.$inferInsert;

/** Returns the cells of a file without edits; they are the same at every call. */
export async function cellsOfFile(ctx: Context, fileId: string, blob: string): Promise<CellRow[]> {
  const { cells } = await readBase(ctx, blob);
  const ranks = await ranksInBatches(cells.length);
  return mapInBatches(cells, (cell, index) => ({
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

const ranksAtOnce = 5_000;

async function ranksInBatches(count: number): Promise<string[]> {
  const ranks: string[] = [];
  while (ranks.length < count) {
    // Other requests are answered in between.
    if (ranks.length > 0) await nextTurn();
    ranks.push(...initialRanks(Math.min(ranksAtOnce, count - ranks.length), ranks.at(-1)));
  }
  return ranks;
}

/** A notebook's file and its row, as they were at one moment. */
export interface NotebookState {
  file: FileRow;
  row: NotebookRow | null;
}

interface LockedState {
  file: LockedFile;
  row: NotebookRow;
}

/** Returns the row if its stored cells are those of the current file. */
export const currentRow = ({ file, row }: NotebookState): NotebookRow | null =>
  row?.baseVersion === file.version ? row : null;

/** Reads both in one statement, because a save between two would show the new file beside the former rows. */
export async function findState(db: Context['db'], fileId: string): Promise<NotebookState | null> {
  const [found] = await db
    .select({ file: files, row: notebooks })
    .from(files)
    .leftJoin(notebooks, eq(notebooks.fileId, files.id))
    .where(eq(files.id, fileId));
  return found ?? null;
}

/**
 * Reads a notebook's rows in several statements at one version. A save that commits between them moves outputs into the
 * file, and a replacement changes the cells, so everything is read again then.
 */
export async function readAtOneVersion<Result>(
  db: Context['db'],
  address: Address,
  read: (state: NotebookState) => Promise<Result>,
): Promise<Result> {
  let state = await requireState(db, address);
  for (;;) {
    const result = await read(state);
    // Without rows everything comes from a blob, which never changes.
    const row = currentRow(state);
    if (!row) return result;
    state = await requireState(db, address);
    if (state.row?.baseVersion === row.baseVersion && state.row.baseBlob === row.baseBlob) return result;
  }
}

async function requireState(db: Context['db'], { projectId, fileId }: Address): Promise<NotebookState> {
  const state = await findState(db, fileId);
  if (state?.file.projectId !== projectId || state.file.deletedAt) throw notFound('This notebook');
  assertNotebook(state.file);
  return state;
}

/**
 * Locks the notebook's file and then its row, which is made when there is none. Only this read decides whether the file or
 * the row is newer.
 */
export async function lockNotebook(write: Write, address: Address): Promise<LockedState> {
  const [file, known] = await Promise.all([lockNotebookFile(write, address), lockNotebookRow(write, address.fileId)]);
  if (known) return { file, row: known };
  await write.tx.insert(notebooks).values({ fileId: file.id, projectId: file.projectId }).onConflictDoNothing();
  const row = await lockNotebookRow(write, file.id);
  if (!row) throw new Error('The notebook was not stored');
  return { file, row };
}

/** Locks the row; the caller has locked the file. */
export async function lockNotebookRow({ tx }: Write, fileId: string): Promise<NotebookRow | null> {
  const [row] = await lockingRow(tx, { fileId });
  return row ?? null;
}

const lockingRow = preparedRows(notebooks, { where: sql`file_id = ${sql.placeholder('fileId')} for update` });

/** Stores the cells of the file one by one before the first change. */
export async function adopt(ctx: Context, write: Write, address: Address): Promise<LockedState> {
  const state = await lockNotebook(write, address);
  assertNotebook(state.file);
  return adoptLocked(ctx, write, state);
}

export async function adoptLocked(ctx: Context, write: Write, state: LockedState): Promise<LockedState> {
  if (currentRow(state)) return state;
  const { file, row } = state;
  const newest = row.unsavedSince ? await keepUnsaved(ctx, write, row, file) : file;
  return { file: newest, row: await replaceCells(ctx, write, row, newest) };
}

export async function replaceCells(ctx: Context, write: Write, row: NotebookRow, file: FileRow): Promise<NotebookRow> {
  const { metadata, items } = takeItems(storable((await readBase(ctx, file.blob)).metadata));
  const cells = await cellsOfFile(ctx, file.id, file.blob);
  // Revisions go on, so that clients with the old cells take the new ones.
  const revision = row.revision + 1;
  // The bin keeps its cells, except those that are in the file again.
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
    isEdited: false,
  };
  await write.tx.update(notebooks).set(values).where(eq(notebooks.fileId, file.id));
  return { ...row, ...values };
}

/** A statement can have at most 65,535 values. */
const batchSize = 2_000;

/** Keeps edits that had not reached a replaced file as the version before the newest. */
async function keepUnsaved(ctx: Context, write: Write, row: NotebookRow, file: LockedFile): Promise<LockedFile> {
  const { content } = await writtenWith(ctx, write.tx, row, widgetsHere(ctx, row));
  const { sha256, size } = await ctx.blobs.put(Readable.from(inParts(content)), maxNotebook);
  const edits = { blob: sha256, size };
  const editor = await asEditor(ctx, write.tx, row);
  const name = 'Edits before the file was replaced';
  const kept = await saveContent(editor, write, file, edits, { name, changedBy: changedBy(row) });
  const replacer = file.updatedById ? await findUser(write.tx, file.updatedById) : null;
  const { blob, size: newest } = file;
  const author = replacer ? ctx.as(personOf(replacer)) : ctx;
  const current = await saveContent(author, write, kept, { blob, size: newest }, { changedBy: null });
  await write.emit('files.changed', { project_id: file.projectId, file_ids: [file.id], change: 'saved' });
  return current;
}

/** The author of a save is the person who edited last, even if another person's call saves the file. */
export async function asEditor(ctx: Context, db: Context['db'], { changedById }: NotebookRow): Promise<Context> {
  const editor = changedById ? await findUser(db, changedById) : null;
  return editor ? ctx.as(personOf(editor)) : ctx;
}

/** A save of outputs alone does not count as a change of the code that others run. */
export const changedBy = ({ isEdited, changedById }: NotebookRow) =>
  isEdited ? { userId: changedById, isLook: true } : null;

export const itemsOf = (db: Context['db'], fileId: string) =>
  db
    .select({ id: notebookItems.id, fields: notebookItems.fields, revision: notebookItems.revision })
    .from(notebookItems)
    .where(eq(notebookItems.fileId, fileId));

export const maxNotebook = 200 * 1024 ** 2;

/** Cells outside the bin; all of them, or some. */
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

/** Returns the notebook as a file, with all unsaved changes, and the cells from which it was made. */
export async function writtenWith(
  ctx: Context,
  db: Context['db'],
  row: NotebookRow,
  widgets: Widgets,
): Promise<{ content: Uint8Array; cells: CellRow[]; endedIds: string[]; metadata: NotebookRow['metadata'] }> {
  const cells = (await liveCells(db, row.fileId)).sort(compareCells);
  const ids = cells.flatMap(({ shown, executionId }) => (shown === 'execution' && executionId ? executionId : []));
  // Executions are read before the outputs, because an execution that ends in between would lack its end in the file.
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
