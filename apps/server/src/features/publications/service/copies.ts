import { executableKind } from '@atoll/contract';
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { CopiedFile } from '../../../platform/publication-kind.ts';
import { copyFiles, insertFile } from '../../files/service/store.ts';
import { files, fileVersions } from '../../files/table.ts';
import { kernelSessions } from '../../kernels/table.ts';
import { insertProject } from '../../projects/service/create.ts';
import { type ProjectRow, projects } from '../../projects/table.ts';
import { readerCopies } from '../table.ts';
import { requirePublication } from './access.ts';
import { contentsOf } from './contents.ts';
import { versionOf } from './read.ts';
import { countOne } from './stats.ts';

interface CopySource {
  /** The publication or the embed it is made of, and which content of it. */
  id: string;
  version: string;
  name: string;
  project: ProjectRow;
  /** Of the project: in a copy with all files it is the one that is opened. */
  fileId: string | null;
  /** The document that is opened, and what it needs beside it. */
  contents: [CopiedFile, ...CopiedFile[]];
  hasProjectFiles: boolean;
}

interface ReaderCopy {
  project_id: string;
  file_id: string;
}

/** A copy of the version that is shown. */
export async function openCopy(ctx: Context, id: string): Promise<ReaderCopy> {
  const readable = await requirePublication(ctx, ctx.db, id, 'publication.execute');
  const version = await versionOf(ctx, readable, undefined);
  const contents = await contentsOf(ctx, readable, version);
  return ctx.write(async (write) => {
    const { publication, project } = await requirePublication(ctx, write.tx, id, 'publication.execute');
    const { isNew, ...copy } = await openReaderCopy(ctx, write, {
      id,
      version: version.id,
      name: publication.title,
      project,
      fileId: publication.fileId,
      contents,
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

async function makeCopy(ctx: Context, write: Write, source: CopySource): Promise<ReaderCopy> {
  const { project, contents } = source;
  const [main, ...beside] = contents;
  const copy = await insertProject(ctx, write, {
    name: source.name.slice(0, 120),
    description: '',
    kind: executableKind(main.path) ?? project.kind,
    language: project.language,
    visibility: 'private',
    isHidden: true,
  });
  const ids = source.hasProjectFiles ? await copyFiles(ctx, write, project.id, copy.id) : null;
  const fileId = await putFile(ctx, write, copy.id, main, ids?.get(source.fileId ?? ''));
  for (const file of beside)
    await putFile(ctx, write, copy.id, file, ids ? await fileAt(write, copy.id, file.path) : undefined);
  await write.tx.update(projects).set({ defaultFileId: fileId }).where(eq(projects.id, copy.id));
  return { project_id: copy.id, file_id: fileId };
}

/** As it is shown, not as it is now. */
async function putFile(
  ctx: Context,
  write: Write,
  projectId: string,
  { path, content }: CopiedFile,
  copied: string | undefined,
): Promise<string> {
  if (!copied) return (await insertFile(ctx, write, projectId, { path, ...content })).id;
  await write.tx.update(files).set(content).where(eq(files.id, copied));
  await write.tx.update(fileVersions).set(content).where(eq(fileVersions.fileId, copied));
  return copied;
}

async function fileAt({ tx }: Write, projectId: string, path: string): Promise<string | undefined> {
  const [file] = await tx
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.projectId, projectId), eq(files.path, path)));
  return file?.id;
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
