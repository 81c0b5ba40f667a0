import { Readable } from 'node:stream';
import {
  baseName,
  collisionKey,
  copyName,
  type EndpointFields,
  executableKind,
  isInside,
  joinPath,
  languageOf,
  mimeTypeOf,
  parentOf,
  uploadLimits,
} from '@atoll/contract';
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import { requireLockedProject, requireProject } from '../../projects/service/access.ts';
import { claimProblem } from '../../uploads/content-kind.ts';
import { type FinishedUpload, finishedUpload } from '../../uploads/service/slots.ts';
import { type DirectoryRow, directories, type FileRow, files, fileVersions } from '../table.ts';
import { noteChange } from './changes.ts';
import { saveForCopy } from './open-documents.ts';
import {
  assertFree,
  ensureDirectories,
  findAt,
  insertFile,
  type LockedFile,
  lockFile,
  saveContent,
  touchProject,
} from './store.ts';

const binLife = 30 * 24 * 60 * 60_000;

export async function listTree(
  ctx: Context,
  projectId: string,
  directory = '',
): Promise<{ files: FileRow[]; directories: DirectoryRow[] }> {
  await requireProject(ctx, ctx.db, projectId, 'project.view_source');
  const all = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.projectId, projectId), isNull(files.deletedAt)))
    .orderBy(files.pathKey);
  const folders = await ctx.db
    .select()
    .from(directories)
    .where(eq(directories.projectId, projectId))
    .orderBy(directories.pathKey);
  return {
    files: all.filter((file) => isInside(file.path, directory)),
    directories: folders.filter((folder) => isInside(folder.path, directory)),
  };
}

export async function requireFile(db: Context['db'], projectId: string, fileId: string): Promise<FileRow> {
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.projectId, projectId)));
  if (!file) throw notFound('This file');
  return file;
}

export async function getFile(ctx: Context, projectId: string, fileId: string): Promise<FileRow> {
  await requireProject(ctx, ctx.db, projectId, 'project.view_source');
  const file = await requireFile(ctx.db, projectId, fileId);
  if (file.deletedAt) throw notFound('This file');
  return file;
}

export async function requireLockedFile(write: Write, projectId: string, fileId: string): Promise<LockedFile> {
  const file = await lockFile(write, fileId);
  if (file?.projectId !== projectId) throw notFound('This file');
  return file;
}

/** One change in a project's tree: authorised, alone, with the project's time and its event. */
export async function changeTree<Result>(
  ctx: Context,
  projectId: string,
  change: 'created' | 'saved' | 'moved' | 'deleted' | 'restored',
  work: (write: Write) => Promise<{ result: Result; fileIds: string[] }>,
): Promise<Result> {
  return ctx.write(async (write) => {
    await requireLockedProject(ctx, write.tx, projectId, 'project.edit');
    const { result, fileIds } = await work(write);
    await touchProject(ctx, write, projectId);
    await write.emit('files.changed', { project_id: projectId, file_ids: fileIds, change });
    return result;
  });
}

export async function createFile(
  ctx: Context,
  projectId: string,
  input: EndpointFields<'files', 'create'>,
): Promise<FileRow> {
  if (executableKind(input.name) === 'canvas') checkFlag(ctx, 'canvas');
  const empty = input.upload_id ? null : await ctx.blobs.put(Readable.from([]), 1);
  return changeTree(ctx, projectId, 'created', async (write) => {
    const content = input.upload_id
      ? honest(input.name, await finishedUpload(ctx, write.tx, input.upload_id, 'upload_id'))
      : { blob: empty?.sha256 ?? '', size: 0 };
    const result = await insertFile(ctx, write, projectId, {
      ...content,
      path: input.name,
      language: input.language,
      mimeType: input.mime_type,
    });
    return { result, fileIds: [result.id] };
  });
}

/** A file that the server itself writes, new or as the next version; answers its row. */
export async function writeFileAt(ctx: Context, projectId: string, path: string, content: string): Promise<FileRow> {
  const { sha256: blob, size } = await ctx.blobs.put(Readable.from([Buffer.from(content)]), uploadLimits.file);
  return changeTree(ctx, projectId, 'saved', async (write) => {
    const isThere = and(eq(files.projectId, projectId), eq(files.pathKey, collisionKey(path)), isNull(files.deletedAt));
    const [found] = await write.tx.select({ id: files.id }).from(files).where(isThere);
    const file = found ? await lockFile(write, found.id) : null;
    const result = file
      ? await saveContent(ctx, write, file, { blob, size }, { isManual: true })
      : await insertFile(ctx, write, projectId, { path, blob, size });
    return { result, fileIds: [result.id] };
  });
}

export async function updateFile(
  ctx: Context,
  projectId: string,
  fileId: string,
  input: EndpointFields<'files', 'update'>,
): Promise<FileRow> {
  return changeTree(ctx, projectId, input.upload_id ? 'saved' : 'moved', async (write) => {
    let file = await requireLockedFile(write, projectId, fileId);
    if (file.deletedAt)
      throw new AppError('gone', 'This file was deleted. Restore it, or save your changes as a new file.');
    if (input.base_version !== undefined && input.base_version !== file.version) throw newerVersion(file);
    if (input.upload_id) {
      const upload = await finishedUpload(ctx, write.tx, input.upload_id, 'upload_id');
      const content = honest(input.name ?? file.path, upload);
      const { version_name: name, is_manual: isManual = true } = input;
      const isContinued = input.base_version !== undefined;
      file = await saveContent(ctx, write, file, content, { name, isManual, isContinued });
    } else if (input.version_name || input.is_manual) {
      const kept = { isManual: true, ...(input.version_name && { name: input.version_name }) };
      await write.tx.update(fileVersions).set(kept).where(eq(fileVersions.id, file.versionId));
    }
    if (input.name !== undefined && input.name !== file.path) file = await moveFile(ctx, write, file, input.name);
    if (input.language !== undefined) {
      const { language } = input;
      await write.tx.update(files).set({ language }).where(eq(files.id, fileId));
      file = { ...file, language };
    }
    return { result: file, fileIds: [fileId] };
  });
}

/** A picture by name must be one by content: what is shown or drawn from it relies on that. */
function honest(path: string, upload: FinishedUpload): FinishedUpload {
  const problem = claimProblem(path, upload);
  if (problem) throw invalidField('upload_id', problem);
  return upload;
}

const newerVersion = (file: FileRow) =>
  new AppError('conflict', 'Someone saved a newer version of this file.', {
    details: { version: file.version, version_id: file.versionId, updated_by: file.updatedById },
  });

/** What it is follows from its name; what was chosen otherwise stays while that stays. */
function movedTo(file: FileRow, path: string) {
  const isSameKind = languageOf(path) === languageOf(file.path) && mimeTypeOf(path) === mimeTypeOf(file.path);
  const kind = isSameKind ? {} : { language: languageOf(path), mimeType: mimeTypeOf(path) };
  return { path, pathKey: collisionKey(path), ...kind };
}

async function moveFile(ctx: Context, write: Write, file: LockedFile, path: string): Promise<LockedFile> {
  const pathKey = collisionKey(path);
  // Changing only the case of a name is not a collision with itself.
  if (pathKey !== file.pathKey) await assertFree(write, file.projectId, path);
  await ensureDirectories(ctx, write, file.projectId, parentOf(path));
  const moved = movedTo(file, path);
  await write.tx.update(files).set(moved).where(eq(files.id, file.id));
  await noteChange(ctx, write, [file.id], ctx.actor);
  return { ...file, ...moved };
}

/** Renames or moves a file, or a folder with everything in it. */
export async function movePath(ctx: Context, projectId: string, from: string, to: string): Promise<void> {
  await changeTree(ctx, projectId, 'moved', async (write) => {
    const found = await findAt(write, projectId, from);
    if (isInside(to, from)) throw invalidField('to', 'A folder cannot be moved into itself');
    const isSamePath = collisionKey(from) === collisionKey(to);
    if (!isSamePath) await assertFree(write, projectId, to, 'to');
    await ensureDirectories(ctx, write, projectId, parentOf(to));
    const moved = (path: string) => to + path.slice(from.length);
    for (const folder of found.directories) {
      const path = moved(folder.path);
      await write.tx
        .update(directories)
        .set({ path, pathKey: collisionKey(path) })
        .where(eq(directories.id, folder.id));
    }
    for (const file of found.files) {
      const path = moved(file.path);
      await write.tx.update(files).set(movedTo(file, path)).where(eq(files.id, file.id));
    }
    const fileIds = found.files.map((file) => file.id);
    await noteChange(ctx, write, fileIds, ctx.actor);
    return { result: undefined, fileIds };
  });
}

export async function makeDirectory(ctx: Context, projectId: string, path: string): Promise<DirectoryRow> {
  return changeTree(ctx, projectId, 'created', async (write) => {
    await assertFree(write, projectId, path, 'path');
    await ensureDirectories(ctx, write, projectId, path);
    const [row] = await write.tx
      .select()
      .from(directories)
      .where(and(eq(directories.projectId, projectId), eq(directories.pathKey, collisionKey(path))));
    if (!row) throw new Error('The folder was not stored');
    return { result: row, fileIds: [] };
  });
}

export async function deletePaths(ctx: Context, projectId: string, paths: string[]): Promise<string[]> {
  return changeTree(ctx, projectId, 'deleted', async (write) => {
    const fileIds: string[] = [];
    for (const path of paths) {
      const found = await findAt(write, projectId, path);
      fileIds.push(...found.files.map((file) => file.id));
      if (found.files.length) {
        await write.tx
          .update(files)
          .set({ deletedAt: ctx.now() })
          .where(
            inArray(
              files.id,
              found.files.map((file) => file.id),
            ),
          );
      }
      if (found.directories.length) {
        await write.tx.delete(directories).where(
          inArray(
            directories.id,
            found.directories.map((folder) => folder.id),
          ),
        );
      }
    }
    return { result: fileIds, fileIds };
  });
}

export async function deleteFile(ctx: Context, projectId: string, fileId: string): Promise<void> {
  await changeTree(ctx, projectId, 'deleted', async (write) => {
    const file = await requireLockedFile(write, projectId, fileId);
    if (file.deletedAt) throw notFound('This file');
    await write.tx.update(files).set({ deletedAt: ctx.now() }).where(eq(files.id, fileId));
    return { result: undefined, fileIds: [fileId] };
  });
}

/** Undo for deleting; when the name was taken meanwhile, it comes back as a copy. */
export async function restoreFile(ctx: Context, projectId: string, fileId: string): Promise<FileRow> {
  return changeTree(ctx, projectId, 'restored', async (write) => {
    const file = await requireLockedFile(write, projectId, fileId);
    if (!file.deletedAt) return { result: file, fileIds: [] };
    const path = await freePath(write, file);
    await ensureDirectories(ctx, write, projectId, parentOf(path));
    const [row] = await write.tx
      .update(files)
      .set({ deletedAt: null, path, pathKey: collisionKey(path) })
      .where(eq(files.id, fileId))
      .returning();
    await noteChange(ctx, write, [fileId], ctx.actor);
    return { result: row ?? file, fileIds: [fileId] };
  });
}

/** The file's own path if nobody has it, else the first free copy of it. */
async function freePath(write: Write, file: FileRow, options: { isCopy?: boolean } = {}): Promise<string> {
  const directory = parentOf(file.path);
  const taken = new Set(
    (
      await write.tx
        .select({ pathKey: files.pathKey })
        .from(files)
        .where(and(eq(files.projectId, file.projectId), isNull(files.deletedAt)))
    ).map((row) => row.pathKey),
  );
  if (!options.isCopy && !taken.has(file.pathKey)) return file.path;
  const name = copyName(baseName(file.path), (candidate) => taken.has(collisionKey(joinPath(directory, candidate))));
  return joinPath(directory, name);
}

export async function duplicateFile(ctx: Context, projectId: string, fileId: string): Promise<FileRow> {
  await requireProject(ctx, ctx.db, projectId, 'project.edit');
  await saveForCopy(ctx, projectId, ({ id }) => id === fileId);
  return changeTree(ctx, projectId, 'created', async (write) => {
    const file = await requireLockedFile(write, projectId, fileId);
    if (file.deletedAt) throw notFound('This file');
    const path = await freePath(write, file, { isCopy: true });
    const { blob, size, language, mimeType, metadata } = file;
    const result = await insertFile(ctx, write, projectId, { path, blob, size, language, mimeType, metadata });
    return { result, fileIds: [result.id] };
  });
}

export async function clonedIds(
  ctx: Context,
  projectId: string,
  fileIds: string[],
  cloneId: string,
): Promise<Record<string, string>> {
  await requireProject(ctx, ctx.db, projectId, 'project.view_source');
  await requireProject(ctx, ctx.db, cloneId, 'project.view_source');
  if (fileIds.length === 0) return {};
  const rows = await ctx.db
    .select({ id: files.id, from: files.clonedFromId })
    .from(files)
    .where(and(eq(files.projectId, cloneId), inArray(files.clonedFromId, fileIds), isNull(files.deletedAt)));
  return Object.fromEntries(rows.map((row) => [row.from, row.id]));
}

export async function sweepFiles(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - binLife);
  await ctx.db.delete(files).where(and(lt(files.deletedAt, before), sql`${files.deletedAt} is not null`));
  await ctx.tables.sweep();
}
