import { cleanPath, collisionKey, languageOf, mimeTypeOf, parentOf } from '@atoll/contract';
import { and, eq, inArray, isNull, like, or, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { preparedRows } from '../../../platform/db/prepared-statement.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { startingWith } from '../../../platform/like.ts';
import { projects } from '../../projects/table.ts';
import { directories, type FileRow, files, fileVersions } from '../table.ts';
import { type NewChange, noteChange } from './changes.ts';

/** The rows behind a project's tree. Callers hold the project's lock and have authorised; nothing here checks rights. */

/** Automatic savings by the same person within this time are one version: they must not bury the history. */
const coalesceMs = 5 * 60_000;

declare const locked: unique symbol;
/** A file as it is now: no other transaction changes it until the end of this one. */
export type LockedFile = FileRow & { readonly [locked]: true };

const lockingFile = preparedRows(files, { where: sql`id = ${sql.placeholder('id')} for no key update` });

/**
 * The newest version of a file is decided by what is read here, after the lock. Every transaction locks the project, then the
 * file, then its notebook, so that no two wait for each other.
 */
export async function lockFile({ tx }: Write, id: string): Promise<LockedFile | null> {
  const [file] = await lockingFile(tx, { id });
  return (file as LockedFile | undefined) ?? null;
}

export interface Content {
  blob: string;
  size: number;
}

export interface NewFile extends Content {
  path: string;
  language?: string;
  mimeType?: string;
  metadata?: Record<string, unknown>;
  clonedFromId?: string;
}

/** Set where the change is not the caller's own act; null where no person changed it. */
export interface ChangedBy {
  changedBy?: NewChange | null;
}

const noteWriter = (ctx: Context, write: Write, fileId: string, changedBy: ChangedBy['changedBy']) =>
  changedBy === null
    ? undefined
    : noteChange(ctx, write, [fileId], changedBy ?? { userId: ctx.actor.userId, isLook: true });

export async function insertFile(
  ctx: Context,
  write: Write,
  projectId: string,
  file: NewFile,
  { changedBy }: ChangedBy = {},
): Promise<LockedFile> {
  const path = cleanPath(file.path);
  await assertFree(write, projectId, path);
  await ensureDirectories(ctx, write, projectId, parentOf(path));
  const now = ctx.now();
  const versionId = newId();
  const [row] = await write.tx
    .insert(files)
    .values({
      projectId,
      path,
      pathKey: collisionKey(path),
      language: file.language ?? languageOf(path),
      mimeType: file.mimeType ?? mimeTypeOf(path),
      metadata: file.metadata ?? {},
      blob: file.blob,
      size: file.size,
      version: 1,
      versionId,
      clonedFromId: file.clonedFromId ?? null,
      createdAt: now,
      updatedAt: now,
      updatedById: ctx.actor.userId,
    })
    .returning();
  if (!row) throw new Error('The file was not stored');
  await write.tx.insert(fileVersions).values({
    id: versionId,
    fileId: row.id,
    version: 1,
    blob: file.blob,
    size: file.size,
    authorId: ctx.actor.userId,
    createdAt: now,
    revisionedAt: now,
  });
  await noteWriter(ctx, write, row.id, changedBy);
  return row as LockedFile;
}

interface SaveOptions extends ChangedBy {
  name?: string | null;
  isManual?: boolean;
  /** The writer had the content before: only then is it one version with the savings before, which would be lost otherwise. */
  isContinued?: boolean;
}

/** A new content for a file, as a new version or as part of the one just being written. */
export async function saveContent(
  ctx: Context,
  write: Write,
  file: LockedFile,
  content: Content,
  { name = null, isManual = name !== null, isContinued = false, changedBy }: SaveOptions = {},
): Promise<LockedFile> {
  const now = ctx.now();
  const version = file.version + 1;
  const [last] = await write.tx.select().from(fileVersions).where(eq(fileVersions.id, file.versionId));
  const isSameSitting =
    isContinued &&
    last &&
    last.version > 1 &&
    last.name === null &&
    !last.isManual &&
    name === null &&
    last.authorId === ctx.actor.userId &&
    now.getTime() - last.createdAt.getTime() < coalesceMs;
  const values = { version, blob: content.blob, size: content.size, isManual, revisionedAt: now };
  const versionId = isSameSitting ? last.id : newId();
  if (isSameSitting) await write.tx.update(fileVersions).set(values).where(eq(fileVersions.id, last.id));
  else {
    await write.tx.insert(fileVersions).values({
      ...values,
      id: versionId,
      fileId: file.id,
      name,
      authorId: ctx.actor.userId,
      createdAt: now,
    });
  }
  const [row] = await write.tx
    .update(files)
    .set({ blob: content.blob, size: content.size, version, versionId, updatedAt: now, updatedById: ctx.actor.userId })
    .where(eq(files.id, file.id))
    .returning();
  await noteWriter(ctx, write, file.id, changedBy);
  return (row as LockedFile | undefined) ?? file;
}

/** A path belongs to one file or one folder, whatever its case. */
export async function assertFree(write: Write, projectId: string, path: string, field = 'name'): Promise<void> {
  const pathKey = collisionKey(path);
  const [file] = await write.tx
    .select({ path: files.path })
    .from(files)
    .where(and(eq(files.projectId, projectId), eq(files.pathKey, pathKey), isNull(files.deletedAt)));
  const [directory] = await write.tx
    .select({ path: directories.path })
    .from(directories)
    .where(and(eq(directories.projectId, projectId), eq(directories.pathKey, pathKey)));
  const taken = file ?? directory;
  if (taken) throw invalidField(field, `There is already ${file ? 'a file' : 'a folder'} named ${taken.path}`);
}

/** Makes the folders on the way to a path; a file in their place is refused. */
export async function ensureDirectories(ctx: Context, write: Write, projectId: string, path: string): Promise<void> {
  if (path === '') return;
  const names = path.split('/');
  const paths = names.map((_, index) => names.slice(0, index + 1).join('/'));
  const [file] = await write.tx
    .select({ path: files.path })
    .from(files)
    .where(
      and(eq(files.projectId, projectId), inArray(files.pathKey, paths.map(collisionKey)), isNull(files.deletedAt)),
    );
  if (file) throw invalidField('name', `${file.path} is a file, not a folder`);
  await write.tx
    .insert(directories)
    .values(paths.map((each) => ({ projectId, path: each, pathKey: collisionKey(each), createdAt: ctx.now() })))
    .onConflictDoNothing();
}

/** Matches everything below a folder. */
const below = (column: typeof files.pathKey | typeof directories.pathKey, pathKey: string) =>
  like(column, startingWith(`${pathKey}/`));

export async function findAt(write: Write, projectId: string, path: string) {
  const pathKey = collisionKey(path);
  const inside = await write.tx
    .select()
    .from(files)
    .where(
      and(
        eq(files.projectId, projectId),
        isNull(files.deletedAt),
        or(eq(files.pathKey, pathKey), below(files.pathKey, pathKey)),
      ),
    );
  const folders = await write.tx
    .select()
    .from(directories)
    .where(
      and(
        eq(directories.projectId, projectId),
        or(eq(directories.pathKey, pathKey), below(directories.pathKey, pathKey)),
      ),
    );
  if (inside.length === 0 && folders.length === 0) throw new AppError('not_found', `There is nothing at ${path}.`);
  return { files: inside, directories: folders };
}

/** Every change of a file is a change of its project. */
export async function touchProject(ctx: Context, write: Write, projectId: string): Promise<void> {
  await write.tx.update(projects).set({ updatedAt: ctx.now() }).where(eq(projects.id, projectId));
}

/** Bulk copies for a clone: rows only, the bytes are the same blobs. */
export async function copyFiles(
  ctx: Context,
  write: Write,
  fromProject: string,
  toProject: string,
): Promise<Map<string, string>> {
  const folders = await write.tx.select().from(directories).where(eq(directories.projectId, fromProject));
  for (const batch of batches(folders)) {
    await write.tx
      .insert(directories)
      .values(batch.map(({ path, pathKey }) => ({ projectId: toProject, path, pathKey, createdAt: ctx.now() })));
  }
  const originals = await write.tx
    .select()
    .from(files)
    .where(and(eq(files.projectId, fromProject), isNull(files.deletedAt)));
  const ids = new Map<string, string>();
  const now = ctx.now();
  for (const batch of batches(originals)) {
    const copies = batch.map((original) => ({
      ...original,
      id: newId(),
      versionId: newId(),
      projectId: toProject,
      version: 1,
      clonedFromId: original.id,
      createdAt: now,
      updatedAt: now,
      updatedById: ctx.actor.userId,
    }));
    await write.tx.insert(files).values(copies);
    await write.tx.insert(fileVersions).values(
      copies.map((copy) => ({
        id: copy.versionId,
        fileId: copy.id,
        version: 1,
        blob: copy.blob,
        size: copy.size,
        authorId: ctx.actor.userId,
        createdAt: now,
        revisionedAt: now,
      })),
    );
    for (const copy of copies) ids.set(copy.clonedFromId, copy.id);
  }
  return ids;
}

/** A statement takes 65,535 parameters at most. */
function batches<Row>(rows: Row[], size = 1_000): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}
