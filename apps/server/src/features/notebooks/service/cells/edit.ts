import {
  type BoardItem,
  type DocumentChange,
  type NotebookHead,
  type Operation,
  type PublishedChange,
  topics,
} from '@atoll/contract';
import { compareCells, isTooDeep, type NotebookParts, operateAll, publishedChange } from '@atoll/notebook';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { preparedStatement } from '../../../../platform/db/prepared-statement.ts';
import { AppError } from '../../../../platform/errors.ts';
import { checkFlag } from '../../../../platform/flags/check-flag.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import { storable } from '../../../kernels/service/store-batch.ts';
import { type ProjectPermissionName, requireProject } from '../../../projects/service/access.ts';
import { loadPerson } from '../../../projects/service/relations.ts';
import { type CellRow, type NotebookRow, notebookCells, notebookItems, notebooks } from '../../table.ts';
import type { Address } from '../address.ts';
import { outputsInBase, readBase } from '../base.ts';
import { adopt } from '../document/adopt.ts';
import { cellView } from '../document/open.ts';
import { dropJobsOf } from '../queue/queue.ts';
import { assertUnlocked } from './locks.ts';

/** These operations need the order of all other cells. */
const isAboutOrder = ({ op }: Operation): boolean =>
  op === 'insert_cell' || op === 'move_cell' || op === 'restore_cell';
/** These operations would overwrite the text of a person who writes in the cell; a merged edit does not. */
const isAboutText = (operation: Operation): boolean =>
  operation.op === 'update_cell_source'
    ? operation.base === undefined
    : operation.op === 'delete_cell' || operation.op === 'set_cell_type' || operation.op === 'update_cell_attachments';
const cellIdOf = (operation: Operation): string | null =>
  'cell_id' in operation ? operation.cell_id : operation.op === 'insert_cell' ? operation.cell.id : null;

const makesInput = (operation: Operation): boolean =>
  (operation.op === 'insert_cell' && operation.cell.type === 'input') ||
  (operation.op === 'set_cell_type' && operation.type === 'input');

export interface EditOptions {
  /** The window that edits; its own locks do not block it. */
  channelId: string | null;
  permission?: ProjectPermissionName;
}

/** Carries out all operations on a notebook, or none, and sends the change to all windows. */
export async function editNotebook(
  ctx: Context,
  address: Address,
  given: Operation[],
  { channelId, permission = 'project.edit' }: EditOptions,
): Promise<PublishedChange> {
  if (isTooDeep(given))
    throw new AppError('unprocessable_entity', 'This has more levels within each other than a file can have.');
  const operations = storable(given);
  if (operations.some(makesInput)) checkFlag(ctx, 'input_cells');
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, permission);
    const { row } = await adopt(ctx, write, address);
    const written = operations.filter(isAboutText).flatMap((operation) => cellIdOf(operation) ?? []);
    await assertUnlocked(ctx, write, address.fileId, written, channelId);
    return carryOut(ctx, write, address, row, operations);
  });
}

export async function carryOut(
  ctx: Context,
  write: Write,
  address: Address,
  row: NotebookRow,
  operations: Operation[],
  /** Stores the change at once, for a caller that reads it in the same transaction. */
  isNow = false,
): Promise<PublishedChange> {
  const { parts, rows } = await partsFor(write, row, operations);
  const done = operateAll(parts, operations);
  if (done.stale) throw stale(done, rows);
  await store(ctx, write, row, done.change, rows, isNow);
  await dropJobsOf(write, address, done.change.deleted_ids);
  const user = await loadPerson(write.tx, ctx.actor.userId);
  const before = new Map(parts.cells.map((cell) => [cell.id, cell]));
  const published = publishedChange(done.change, (id) => before.get(id));
  write.publish(message(topics.notebook, { ...address }, 'document_changed', { ...published, user }));
  return published;
}

const reasons = {
  gone: 'This cell was deleted.',
  exists: 'There is already a cell with this id.',
  changed: 'Someone else changed this cell.',
};

function stale({ stale, cellId }: { stale: keyof typeof reasons; cellId: string | null }, rows: CellRow[]): AppError {
  const current = rows.find(({ id, deletedAt }) => id === cellId && !deletedAt);
  return new AppError('conflict', reasons[stale], {
    details: { reason: 'stale', stale, cell_id: cellId, cell: current ? cellView(current) : null },
  });
}

/** Loads the named cells and, for operations on the order, the ranks of all others. */
async function partsFor(
  write: Write,
  row: NotebookRow,
  operations: Operation[],
): Promise<{ parts: NotebookParts; rows: CellRow[] }> {
  const named = [...new Set(operations.flatMap((operation) => cellIdOf(operation) ?? []))];
  const ofFile = eq(notebookCells.fileId, row.fileId);
  const rows =
    named.length === 0
      ? []
      : await write.tx
          .select()
          .from(notebookCells)
          .where(and(ofFile, inArray(notebookCells.id, named)))
          .for('update');
  const head: NotebookHead = { metadata: row.metadata, revision: row.headRevision };
  const items = await itemsNamed(write, row, operations);
  const cells = rows.filter(({ deletedAt }) => !deletedAt).map(cellView);
  const bin = rows.filter(({ deletedAt }) => deletedAt).map(cellView);
  if (!operations.some(isAboutOrder)) return { parts: { cells: cells.sort(compareCells), bin, head, items }, rows };
  const places = await write.tx
    .select({ id: notebookCells.id, rank: notebookCells.rank })
    .from(notebookCells)
    .where(and(ofFile, isNull(notebookCells.deletedAt)));
  const known = new Map(cells.map((cell) => [cell.id, cell]));
  const all = places.map((place) => known.get(place.id) ?? { ...placeholder, ...place });
  return { parts: { cells: all.sort(compareCells), bin, head, items }, rows };
}

async function itemsNamed({ tx }: Write, { fileId }: NotebookRow, operations: Operation[]) {
  const ids = [...new Set(operations.flatMap((operation) => ('item_id' in operation ? operation.item_id : [])))];
  if (ids.length === 0) return new Map<string, BoardItem>();
  const isNamed = and(eq(notebookItems.fileId, fileId), inArray(notebookItems.id, ids));
  const rows = await tx.select().from(notebookItems).where(isNamed).for('update');
  return new Map(rows.map(({ id, fields, revision }) => [id, { id, fields, revision }]));
}

/** Only the rank of these cells is used. */
const placeholder = { type: 'raw' as const, source: '', metadata: {}, attachments: null, revision: 0 };

async function store(
  ctx: Context,
  write: Write,
  row: NotebookRow,
  change: DocumentChange,
  rows: CellRow[],
  isNow: boolean,
): Promise<void> {
  const { tx } = write;
  const last = async (begin: () => Promise<unknown>) => {
    if (isNow) await begin();
    else write.last(begin);
  };
  const known = new Map(rows.map((each) => [each.id, each]));
  const now = ctx.now();
  const isLight = ({ id, attachments }: DocumentChange['cells'][number]) => {
    const before = known.get(id);
    const isHeavy = before && (before.attachments || before.outputs) && before.attachments === attachments;
    return isHeavy && !change.shown[id] && !change.cleared_ids.includes(id);
  };
  // An edit of the text does not write pictures and outputs again: they stay where they are in the database.
  for (const { id, rank, type, source, metadata, revision } of change.cells.filter(isLight)) {
    const set = { rank, type, source, metadata, revision, deletedAt: null, deletedById: null };
    const isCell = and(eq(notebookCells.fileId, row.fileId), eq(notebookCells.id, id));
    await last(() => tx.update(notebookCells).set(set).where(isCell).execute());
  }
  const values = change.cells
    .filter((cell) => !isLight(cell))
    .map((cell) => {
      const before = known.get(cell.id);
      const shown = change.shown[cell.id];
      const isCleared = change.cleared_ids.includes(cell.id);
      return {
        fileId: row.fileId,
        ...cell,
        shown: shown ? ('own' as const) : isCleared || !before ? ('nothing' as const) : before.shown,
        outputs: shown?.outputs ?? (isCleared ? null : (before?.outputs ?? null)),
        executionId: isCleared ? null : (before?.executionId ?? null),
        executionCount: shown?.execution_count ?? (isCleared ? null : (before?.executionCount ?? null)),
        executedById: before?.executedById ?? null,
        deletedAt: null,
        deletedById: null,
      };
    });
  for (let from = 0; from < values.length; from += 1_000) {
    const batch = values.slice(from, from + 1_000);
    await last(() =>
      tx
        .insert(notebookCells)
        .values(batch)
        .onConflictDoUpdate({ target: [notebookCells.fileId, notebookCells.id], set: excluded })
        .execute(),
    );
  }
  const ofFile = eq(notebookCells.fileId, row.fileId);
  if (change.deleted_ids.length > 0) {
    const gone = { deletedAt: now, deletedById: ctx.actor.userId };
    const isGone = and(ofFile, inArray(notebookCells.id, change.deleted_ids));
    await keepShown(ctx, write, row, rows, change.deleted_ids);
    await last(() => tx.update(notebookCells).set(gone).where(isGone).execute());
  }
  const changed = new Set(change.cells.map(({ id }) => id));
  const cleared = change.cleared_ids.filter((id) => !changed.has(id));
  if (cleared.length > 0) {
    const nothing = { shown: 'nothing' as const, outputs: null, executionId: null, executionCount: null };
    const isCleared = and(ofFile, inArray(notebookCells.id, cleared));
    await last(() => tx.update(notebookCells).set(nothing).where(isCleared).execute());
  }
  if (change.items.length > 0) {
    const items = change.items.map((item) => ({ fileId: row.fileId, ...item }));
    const set = { fields: sql`excluded.fields`, revision: sql`excluded.revision` };
    await last(() =>
      tx
        .insert(notebookItems)
        .values(items)
        .onConflictDoUpdate({ target: [notebookItems.fileId, notebookItems.id], set })
        .execute(),
    );
  }
  const isNotebook = eq(notebooks.fileId, row.fileId);
  const head = change.head && { metadata: change.head.metadata, headRevision: change.head.revision };
  if (head) await last(() => tx.update(notebooks).set(head).where(isNotebook).execute());
  await last(() => markEdited(ctx, write, row));
}

/** Keeps the outputs of deleted cells, because they are only in the file and the next save removes them from it. */
async function keepShown(ctx: Context, { tx }: Write, row: NotebookRow, rows: CellRow[], ids: string[]): Promise<void> {
  const inFile = rows.filter(({ id, shown }) => shown === 'file' && ids.includes(id));
  if (inFile.length === 0 || !row.baseBlob) return;
  const file = new Map((await readBase(ctx, row.baseBlob)).cells.map((cell) => [cell.id, cell]));
  for (const { id } of inFile) {
    const { executionCount = null } = file.get(id) ?? {};
    const outputs = await outputsInBase(ctx, row.baseBlob, id);
    if (outputs.length === 0 && executionCount === null) continue;
    await tx
      .update(notebookCells)
      .set({ shown: 'own', outputs: storable(outputs), executionCount })
      .where(and(eq(notebookCells.fileId, row.fileId), eq(notebookCells.id, id)));
  }
}

const excluded = {
  rank: sql`excluded.rank`,
  type: sql`excluded.type`,
  source: sql`excluded.source`,
  metadata: sql`excluded.metadata`,
  attachments: sql`excluded.attachments`,
  revision: sql`excluded.revision`,
  shown: sql`excluded.shown`,
  outputs: sql`excluded.outputs`,
  executionId: sql`excluded.execution_id`,
  executionCount: sql`excluded.execution_count`,
  executedById: sql`excluded.executed_by_id`,
  deletedAt: sql`excluded.deleted_at`,
  deletedById: sql`excluded.deleted_by_id`,
};

type ChangedRow = Pick<NotebookRow, 'fileId'>;

/** Marks the notebook as different from its file. */
export const markChanged = (ctx: Context, { tx }: Write, { fileId }: ChangedRow): Promise<unknown> =>
  tx.execute(markingChanged({ fileId, at: ctx.now().toISOString(), userId: ctx.actor.userId })).execute();

/** Marks the notebook as edited by the caller, and not only run. */
const markEdited = (ctx: Context, { tx }: Write, { fileId }: ChangedRow): Promise<unknown> =>
  tx.execute(markingEdited({ fileId, at: ctx.now().toISOString(), userId: ctx.actor.userId })).execute();

const at = sql`${sql.placeholder('at')}::timestamptz`;
const by = sql.placeholder('userId');
const marked = sql`update ${notebooks} set revision = revision + 1,
  unsaved_since = coalesce(unsaved_since, ${at}), changed_at = ${at}`;
const isThis = sql`where file_id = ${sql.placeholder('fileId')}`;
const markingEdited = preparedStatement(sql`${marked}, is_edited = true, changed_by_id = ${by} ${isThis}`);
const markingChanged = preparedStatement(
  sql`${marked}, changed_by_id = case when is_edited then changed_by_id else ${by} end ${isThis}`,
);
