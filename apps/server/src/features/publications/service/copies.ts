import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { copyFiles, insertFile } from '../../files/service/store.ts';
import { files, fileVersions } from '../../files/table.ts';
import { kernelSessions } from '../../kernels/table.ts';
import { insertProject } from '../../projects/service/create.ts';
import { type ProjectRow, projects } from '../../projects/table.ts';
import { publicationVersions, readerCopies } from '../table.ts';
import { requirePublication } from './access.ts';
import { withPictures } from './pictures.ts';
import { countOne } from './stats.ts';

interface CopySource {
  /** The publication or the embed it is made of, and which content of it. */
  id: string;
  version: string;
  name: string;
  fileName: string;
  project: ProjectRow;
  /** Of the project: in a copy with all files it is the one that is opened. */
  fileId: string | null;
  content: { blob: string; size: number };
  hasProjectFiles: boolean;
}

interface ReaderCopy {
  project_id: string;
  file_id: string;
}

/** A copy of the version that is shown. */
export async function openCopy(ctx: Context, id: string): Promise<ReaderCopy> {
  const { publication } = await requirePublication(ctx, ctx.db, id, 'publication.execute');
  const [version] = await ctx.db
    .select()
    .from(publicationVersions)
    .where(eq(publicationVersions.id, publication.versionId ?? id));
  if (!version) throw notFound('This publication');
  // Pictures that are kept for the article would be sent with every opening of the notebook.
  const kind = ctx.publicationKinds.find((each) => each.contentKind === publication.contentKind);
  const blob =
    kind && version.payload.keeps_pictures
      ? await withPictures(ctx, kind, version.sourceBlob, { ...version.payload, keeps_pictures: false })
      : version.sourceBlob;
  const content = { blob, size: await sizeOf(ctx, blob) };
  return ctx.write(async (write) => {
    const { publication, project } = await requirePublication(ctx, write.tx, id, 'publication.execute');
    const { isNew, ...copy } = await openReaderCopy(ctx, write, {
      id,
      version: version.id,
      name: publication.title,
      fileName: 'publication.ipynb',
      project,
      fileId: publication.fileId,
      content,
      hasProjectFiles: publication.copiesProjectFiles,
    });
    if (isNew) await countOne(ctx, write, id, 'runs');
    return copy;
  });
}

/**
 * What a reader runs: a hidden project of their own with the content as it is shown, within their own quota. It has the
 * project's files only where the author allows it, and never anybody's secrets.
 */
export async function openReaderCopy(
  ctx: Context,
  write: Write,
  source: CopySource,
): Promise<ReaderCopy & { isNew: boolean }> {
  const { userId } = ctx;
  // One copy for each reader, however often it is asked for at once: their row is the lock.
  await write.tx.execute(sql`select 1 from users where id = ${userId} for update`);
  const [known] = await write.tx
    .update(readerCopies)
    .set({ usedAt: ctx.now() })
    .where(
      and(
        eq(readerCopies.sourceId, source.id),
        eq(readerCopies.version, source.version),
        eq(readerCopies.userId, userId),
      ),
    )
    .returning();
  if (known) return { project_id: known.projectId, file_id: await mainFileOf(write, known.projectId), isNew: false };
  const copy = await makeCopy(ctx, write, source);
  await write.tx.insert(readerCopies).values({
    projectId: copy.project_id,
    sourceId: source.id,
    version: source.version,
    userId,
    usedAt: ctx.now(),
  });
  return { ...copy, isNew: true };
}

async function sizeOf(ctx: Context, blob: string): Promise<number> {
  let size = 0;
  for await (const chunk of await readBlob(ctx, blob)) size += (chunk as Buffer).length;
  return size;
}

async function makeCopy(ctx: Context, write: Write, source: CopySource): Promise<ReaderCopy> {
  const { project, content } = source;
  const copy = await insertProject(ctx, write, {
    name: source.name.slice(0, 120),
    description: '',
    kind: project.kind,
    language: project.language,
    visibility: 'private',
    isHidden: true,
  });
  const ids = source.hasProjectFiles ? await copyFiles(ctx, write, project.id, copy.id) : null;
  const copied = ids?.get(source.fileId ?? '');
  const fileId = copied ?? (await insertFile(ctx, write, copy.id, { path: source.fileName, ...content })).id;
  if (copied) {
    // As it is shown, not as it is now.
    await write.tx.update(files).set(content).where(eq(files.id, copied));
    await write.tx.update(fileVersions).set(content).where(eq(fileVersions.fileId, copied));
  }
  await write.tx.update(projects).set({ defaultFileId: fileId }).where(eq(projects.id, copy.id));
  return { project_id: copy.id, file_id: fileId };
}

async function mainFileOf({ tx }: Write, projectId: string): Promise<string> {
  const [copy] = await tx.select({ id: projects.defaultFileId }).from(projects).where(eq(projects.id, projectId));
  if (!copy?.id) throw notFound('This copy');
  return copy.id;
}

const day = 24 * 60 * 60_000;

/** Copies nobody has opened for a day and in which nothing runs. */
export async function sweepCopies(ctx: Context): Promise<void> {
  const old = await ctx.db
    .select({ id: readerCopies.projectId })
    .from(readerCopies)
    .leftJoin(kernelSessions, and(eq(kernelSessions.projectId, readerCopies.projectId), isNull(kernelSessions.endedAt)))
    .where(and(lt(readerCopies.usedAt, new Date(ctx.now().getTime() - day)), isNull(kernelSessions.id)))
    .limit(500);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await ctx.write(async ({ tx, emit }) => {
    await tx.delete(projects).where(inArray(projects.id, ids));
    for (const id of ids) await emit('project.deleted', { project_id: id, is_final: true });
  });
}
