import { Readable } from 'node:stream';
import { topics } from '@atoll/contract';
import { and, asc, eq, inArray, isNotNull, isNull, lt, notInArray, or } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { lockFile, saveContent, touchProject } from '../../files/service/store.ts';
import { type FileRow, files, fileVersions } from '../../files/table.ts';
import { lockProject } from '../../projects/service/access.ts';
import { type CellRow, notebookCells, notebooks } from '../table.ts';
import type { Address } from './address.ts';
import { inParts } from './base.ts';
import {
  adoptLocked,
  asEditor,
  changedBy,
  currentRow,
  findState,
  lockNotebook,
  lockNotebookRow,
  maxNotebook,
  writtenWith,
} from './document/adopt.ts';
import { widgetsInKernel } from './document/saved-widgets.ts';

interface SaveOptions {
  name?: string | undefined;
  /** A save by hand stays a version; automatic saves are merged. */
  isManual?: boolean;
}

/** Saves the notebook into its file. Returns the file, saved or unchanged. */
export async function saveNotebook(ctx: Context, fileId: string, options: SaveOptions = {}): Promise<FileRow | null> {
  for (let attempt = 1; ; attempt++) {
    const saved = await trySave(ctx, fileId, options);
    if (saved !== 'overtaken') return saved;
    if (attempt === mostAttempts) throw new AppError('conflict', 'This notebook is being replaced. Try again.');
  }
}

/** Each attempt can lose to another save or a replacement of the file, which are rare. */
const mostAttempts = 10;

async function trySave(
  ctx: Context,
  fileId: string,
  { name, isManual = false }: SaveOptions,
): Promise<FileRow | null | 'overtaken'> {
  const state = await findState(ctx.db, fileId);
  if (!state || state.file.deletedAt) return null;
  const { file } = state;
  const row = currentRow(state);
  if (!row && state.row?.unsavedSince) return keepReplaced(ctx, { projectId: file.projectId, fileId });
  if (!row?.unsavedSince) return isManual ? keepVersion(ctx, file, name) : file;
  const { content, cells, endedIds, metadata } = await writtenWith(ctx, ctx.db, row, await widgetsInKernel(ctx, row));
  const { sha256, size } = await ctx.blobs.put(Readable.from(inParts(content)), maxNotebook);
  return ctx.write(async (write) => {
    const { tx } = write;
    await lockProject(tx, file.projectId);
    const [current, locked] = await Promise.all([lockFile(write, fileId), lockNotebookRow(write, fileId)]);
    if (!current || current.deletedAt) return null;
    const now = currentRow({ file: current, row: locked });
    // The content was written from other rows, so it may lack changes of these.
    if (now?.baseVersion !== row.baseVersion) return 'overtaken';
    const author = await asEditor(ctx, tx, now);
    const saved =
      current.blob === sha256 && !name
        ? current
        : await saveContent(
            author,
            write,
            current,
            { blob: sha256, size },
            { name, isManual, isContinued: true, changedBy: changedBy(now) },
          );
    if (isManual && saved === current) await keep(tx, saved.versionId, {});
    const isWhole = now.revision === row.revision;
    await tx
      .update(notebooks)
      .set({
        baseBlob: sha256,
        baseVersion: saved.version,
        ...(metadata === row.metadata ? {} : { metadata: { ...now.metadata, widgets: metadata.widgets } }),
        ...(isWhole ? { unsavedSince: null, changedAt: null, isEdited: false } : { unsavedSince: ctx.now() }),
      })
      .where(eq(notebooks.fileId, fileId));
    await markInFile(tx, fileId, { cells, endedIds, isWhole });
    await touchProject(author, write, file.projectId);
    const changed = { project_id: file.projectId, file_ids: [fileId], change: 'saved' as const };
    await write.emit('files.changed', { ...changed, origin: 'notebook' });
    const { projectId } = file;
    const event = { version: saved.version, version_id: saved.versionId, name: name ?? null };
    if (isWhole) write.publish(message(topics.notebook, { projectId, fileId }, 'saved', event));
    return saved;
  });
}

interface WrittenCells {
  cells: CellRow[];
  endedIds: string[];
  isWhole: boolean;
}

/** Marks outputs as stored in the file, except for cells that were run, updated or edited meanwhile. */
async function markInFile(
  tx: Context['db'],
  fileId: string,
  { cells, endedIds, isWhole }: WrittenCells,
): Promise<void> {
  const ofFile = eq(notebookCells.fileId, fileId);
  const inFile = { shown: 'file' as const, outputs: null };
  // An edit may have replaced a cell's own outputs.
  const kinds = isWhole ? (['own', 'nothing'] as const) : (['nothing'] as const);
  for (const shown of kinds) {
    const ids = cells.flatMap((cell) => (cell.shown === shown ? cell.id : []));
    if (ids.length === 0) continue;
    await tx
      .update(notebookCells)
      .set(inFile)
      .where(and(ofFile, eq(notebookCells.shown, shown), inArray(notebookCells.id, ids)));
  }
  if (endedIds.length === 0) return;
  const isShown = and(ofFile, eq(notebookCells.shown, 'execution'), inArray(notebookCells.executionId, endedIds));
  const now = await tx.select().from(notebookCells).where(isShown).for('update');
  const written = new Map(cells.map(({ id, updatesCount }) => [id, updatesCount]));
  const ids = now.flatMap(({ id, updatesCount }) => (written.get(id) === updatesCount ? id : []));
  if (ids.length === 0) return;
  await tx
    .update(notebookCells)
    .set(inFile)
    .where(and(ofFile, inArray(notebookCells.id, ids)));
}

/** Keeps unsaved edits of a replaced file as a version, under the file's current name. */
async function keepReplaced(ctx: Context, address: Address): Promise<'overtaken'> {
  await ctx.write(async (write) => adoptLocked(ctx, write, await lockNotebook(write, address)));
  return 'overtaken';
}

const keep = (tx: Context['db'], versionId: string, fields: { name?: string | undefined }) =>
  tx
    .update(fileVersions)
    .set({ isManual: true, ...(fields.name && { name: fields.name }) })
    .where(eq(fileVersions.id, versionId));

/** Keeps the content that was saved already as a version. */
async function keepVersion(
  ctx: Context,
  found: FileRow,
  name: string | undefined,
): Promise<FileRow | null | 'overtaken'> {
  return ctx.write(async (write) => {
    await lockProject(write.tx, found.projectId);
    const [file, row] = await Promise.all([lockFile(write, found.id), lockNotebookRow(write, found.id)]);
    if (!file || file.deletedAt) return null;
    const current = currentRow({ file, row });
    if (file.version !== found.version || current?.unsavedSince) return 'overtaken';
    const [version] = await write.tx.select().from(fileVersions).where(eq(fileVersions.id, file.versionId));
    const { blob, size } = file;
    // A named version keeps its name.
    const saved =
      name && version?.name ? await saveContent(ctx, write, file, { blob, size }, { name, changedBy: null }) : file;
    if (saved === file) await keep(write.tx, file.versionId, { name });
    else if (current)
      await write.tx.update(notebooks).set({ baseVersion: saved.version }).where(eq(notebooks.fileId, file.id));
    const changed = { project_id: file.projectId, file_ids: [file.id], change: 'saved' as const };
    // Naming a version does not run any notebook again.
    await write.emit('files.changed', { ...changed, origin: 'notebook' });
    return saved;
  });
}

const beatMs = 500;
/** The delays of an automatic save: after the last change, and at most after the first one. */
const quietMs = 1_500;
const latestMs = 15_000;

/** Saves notebooks automatically: soon after changes stop, and now and then while they continue. */
export function keepSaving(ctx: Context): () => Promise<void> {
  let going: Promise<void> | null = null;
  /** A large notebook with a slow save is saved less often. */
  const notBefore = new Map<string, number>();

  async function round(isAll: boolean): Promise<void> {
    const now = ctx.now().getTime();
    const waiting = [...notBefore].flatMap(([fileId, time]) => (time > performance.now() ? fileId : []));
    const due = await ctx.db
      .select({ fileId: notebooks.fileId })
      .from(notebooks)
      .innerJoin(files, and(eq(files.id, notebooks.fileId), isNull(files.deletedAt)))
      .where(
        isAll
          ? isNotNull(notebooks.unsavedSince)
          : and(
              isNotNull(notebooks.unsavedSince),
              notInArray(notebooks.fileId, waiting),
              or(
                lt(notebooks.changedAt, new Date(now - quietMs)),
                lt(notebooks.unsavedSince, new Date(now - latestMs)),
              ),
            ),
      )
      .orderBy(asc(notebooks.unsavedSince))
      .limit(50);
    for (const { fileId } of due) {
      const began = performance.now();
      await saveNotebook(ctx, fileId).catch((error: unknown) => {
        ctx.log.error({ error, file: fileId }, 'A notebook could not be saved; trying again');
        notBefore.set(fileId, performance.now() + 30_000);
      });
      const took = performance.now() - began;
      if (took > 200) notBefore.set(fileId, performance.now() + took * 20);
    }
  }

  const timer = setInterval(() => {
    going ??= round(false)
      .catch((error: unknown) => ctx.log.error({ error }, 'Saving notebooks failed'))
      .finally(() => {
        going = null;
      });
  }, beatMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await going;
    await round(true).catch((error: unknown) => ctx.log.error({ error }, 'Saving notebooks failed'));
  };
}
