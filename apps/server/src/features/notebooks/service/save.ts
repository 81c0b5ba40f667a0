import { Readable } from 'node:stream';
import { topics } from '@atoll/contract';
import { and, asc, eq, inArray, isNotNull, isNull, lt, notInArray, or } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { saveContent, touchProject } from '../../files/service/store.ts';
import { type FileRow, files, fileVersions } from '../../files/table.ts';
import { lockProject } from '../../projects/service/access.ts';
import { findUser, personOf } from '../../users/service.ts';
import { type CellRow, notebookCells, notebooks } from '../table.ts';
import { inParts } from './base.ts';
import { adopt, findNotebook, isCurrent, maxNotebook, writtenWith } from './document/adopt.ts';
import { widgetsInKernel } from './document/saved-widgets.ts';

interface SaveOptions {
  name?: string | undefined;
  /** What is saved by hand stays a version; automatic savings are merged. */
  isManual?: boolean;
}

/** Brings a notebook's file up to what the notebook is. Answers the file, saved or as it was. */
export async function saveNotebook(
  ctx: Context,
  fileId: string,
  { name, isManual = false }: SaveOptions = {},
): Promise<FileRow | null> {
  const row = await findNotebook(ctx.db, fileId);
  const [file] = await ctx.db.select().from(files).where(eq(files.id, fileId));
  if (!file || file.deletedAt) return null;
  if (!row?.unsavedSince || !isCurrent(row, file)) return isManual ? keepVersion(ctx, file, name) : file;
  const { content, cells, endedIds, metadata } = await writtenWith(ctx, ctx.db, row, await widgetsInKernel(ctx, row));
  const { sha256, size } = await ctx.blobs.put(Readable.from(inParts(content)), maxNotebook);
  return ctx.write(async (write) => {
    const { tx } = write;
    await lockProject(tx, file.projectId);
    const [now] = await tx.select().from(notebooks).where(eq(notebooks.fileId, fileId)).for('update');
    const [current] = await tx.select().from(files).where(eq(files.id, fileId));
    // Another server saved it, or somebody replaced the file: there is nothing to do, or the next edit sees to it.
    if (!now || !current || current.deletedAt || now.baseVersion !== row.baseVersion || !isCurrent(now, current)) {
      return current ?? null;
    }
    const editor = now.changedById ? await findUser(tx, now.changedById) : null;
    const author = editor ? ctx.as(personOf(editor)) : ctx;
    const saved =
      current.blob === sha256 && !name
        ? current
        : await saveContent(author, write, current, { blob: sha256, size }, { name, isManual });
    if (isManual && saved === current) await keep(tx, saved.versionId, {});
    const isWhole = now.revision === row.revision;
    await tx
      .update(notebooks)
      .set({
        baseBlob: sha256,
        baseVersion: saved.version,
        ...(metadata === row.metadata ? {} : { metadata: { ...now.metadata, widgets: metadata.widgets } }),
        ...(isWhole ? { unsavedSince: null, changedAt: null } : { unsavedSince: ctx.now() }),
      })
      .where(eq(notebooks.fileId, fileId));
    await nowInFile(tx, fileId, cells, endedIds);
    await touchProject(author, write, file.projectId);
    const changed = { project_id: file.projectId, file_ids: [fileId], change: 'saved' as const };
    await write.emit('files.changed', { ...changed, origin: 'notebook' });
    const { projectId } = file;
    const event = { version: saved.version, version_id: saved.versionId, name: name ?? null };
    if (isWhole) write.publish(message(topics.notebook, { projectId, fileId }, 'saved', event));
    return saved;
  });
}

/** What cells show is in the file now: those that were run again or updated meanwhile show something else. */
async function nowInFile(tx: Context['db'], fileId: string, cells: CellRow[], endedIds: string[]): Promise<void> {
  const ofFile = eq(notebookCells.fileId, fileId);
  const inFile = { shown: 'file' as const, outputs: null };
  for (const shown of ['own', 'nothing'] as const) {
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

/** Its file was replaced before it was saved: the edits become a version of their own. */
async function keepReplaced(ctx: Context, fileId: string): Promise<unknown> {
  return ctx.write(async (write) => {
    const [file] = await write.tx.select().from(files).where(eq(files.id, fileId)).for('update');
    return file && !file.deletedAt ? adopt(ctx, write, file) : null;
  });
}

const keep = (tx: Context['db'], versionId: string, fields: { name?: string | undefined }) =>
  tx
    .update(fileVersions)
    .set({ isManual: true, ...(fields.name && { name: fields.name }) })
    .where(eq(fileVersions.id, versionId));

/** What was saved already is a version that stays. */
async function keepVersion(ctx: Context, file: FileRow, name: string | undefined): Promise<FileRow> {
  return ctx.write(async (write) => {
    await lockProject(write.tx, file.projectId);
    const [version] = await write.tx.select().from(fileVersions).where(eq(fileVersions.id, file.versionId));
    const { blob, size } = file;
    // A version that has a name keeps it.
    const saved = name && version?.name ? await saveContent(ctx, write, file, { blob, size }, { name }) : file;
    if (saved === file) await keep(write.tx, file.versionId, { name });
    else await write.tx.update(notebooks).set({ baseVersion: saved.version }).where(eq(notebooks.fileId, file.id));
    const changed = { project_id: file.projectId, file_ids: [file.id], change: 'saved' as const };
    // A name is no reason to run anything again.
    await write.emit('files.changed', { ...changed, origin: 'notebook' });
    return saved;
  });
}

const beatMs = 500;
/** After the last change; and at the latest after the first one. */
const quietMs = 1_500;
const latestMs = 15_000;

/** Saves notebooks by itself: soon after they were changed, and now and then while they are. */
export function keepSaving(ctx: Context): () => Promise<void> {
  let going: Promise<void> | null = null;
  /** A large notebook that takes long to write is written less often. */
  const notBefore = new Map<string, number>();

  async function round(isAll: boolean): Promise<void> {
    const now = ctx.now().getTime();
    const waiting = [...notBefore].flatMap(([fileId, time]) => (time > performance.now() ? fileId : []));
    const due = await ctx.db
      .select({ fileId: notebooks.fileId, version: files.version, base: notebooks.baseVersion })
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
    for (const { fileId, version, base } of due) {
      const began = performance.now();
      const saving = version === base ? saveNotebook(ctx, fileId) : keepReplaced(ctx, fileId);
      await saving.catch((error: unknown) => {
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
