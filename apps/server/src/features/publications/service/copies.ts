import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { copyFiles, insertFile } from '../../files/service/store.ts';
import { files, fileVersions } from '../../files/table.ts';
import { kernelSessions } from '../../kernels/table.ts';
import { insertProject } from '../../projects/service/create.ts';
import { projects } from '../../projects/table.ts';
import { publicationCopies, publicationVersions } from '../table.ts';
import { type ReadablePublication, requirePublication } from './access.ts';
import { countOne } from './stats.ts';

interface Content {
  blob: string;
  size: number;
}

/**
 * What a reader runs: a hidden project of their own with the published version, within their own quota. It has the project's
 * files only where the author allows it, and never anybody's secrets.
 */
export async function openCopy(ctx: Context, id: string): Promise<{ project_id: string; file_id: string }> {
  const { publication } = await requirePublication(ctx, ctx.db, id, 'publication.execute');
  const [version] = await ctx.db
    .select()
    .from(publicationVersions)
    .where(eq(publicationVersions.id, publication.versionId ?? id));
  if (!version) throw notFound('This publication');
  const content = { blob: version.sourceBlob, size: await sizeOf(ctx, version.sourceBlob) };
  return ctx.write(async (write) => {
    const readable = await requirePublication(ctx, write.tx, id, 'publication.execute');
    const userId = ctx.actor.userId ?? '';
    // One copy for each reader, however often it is asked for at once: their row is the lock.
    await write.tx.execute(sql`select 1 from users where id = ${userId} for update`);
    const [known] = await write.tx
      .update(publicationCopies)
      .set({ usedAt: ctx.now() })
      .where(
        and(
          eq(publicationCopies.publicationId, id),
          eq(publicationCopies.versionId, version.id),
          eq(publicationCopies.userId, userId),
        ),
      )
      .returning();
    if (known) return { project_id: known.projectId, file_id: await mainFileOf(write, known.projectId) };
    const copy = await makeCopy(ctx, write, readable, content);
    await write.tx.insert(publicationCopies).values({
      projectId: copy.project_id,
      publicationId: id,
      versionId: version.id,
      userId,
      usedAt: ctx.now(),
    });
    await countOne(ctx, write, id, 'runs');
    return copy;
  });
}

async function sizeOf(ctx: Context, blob: string): Promise<number> {
  const content = await ctx.blobs.get(blob);
  if (!content) throw new Error('The content of a publication is gone');
  let size = 0;
  for await (const chunk of content) size += (chunk as Buffer).length;
  return size;
}

async function makeCopy(
  ctx: Context,
  write: Write,
  { publication, project }: ReadablePublication,
  content: Content,
): Promise<{ project_id: string; file_id: string }> {
  const copy = await insertProject(ctx, write, {
    name: publication.title.slice(0, 120),
    description: '',
    kind: project.kind,
    language: project.language,
    visibility: 'private',
    isHidden: true,
  });
  const ids = publication.copiesProjectFiles ? await copyFiles(ctx, write, project.id, copy.id) : null;
  const copied = ids?.get(publication.fileId ?? '');
  const fileId = copied ?? (await insertFile(ctx, write, copy.id, { path: 'publication.ipynb', ...content })).id;
  if (copied) {
    // As it was published, not as it is now.
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
    .select({ id: publicationCopies.projectId })
    .from(publicationCopies)
    .leftJoin(
      kernelSessions,
      and(eq(kernelSessions.projectId, publicationCopies.projectId), isNull(kernelSessions.endedAt)),
    )
    .where(and(lt(publicationCopies.usedAt, new Date(ctx.now().getTime() - day)), isNull(kernelSessions.id)))
    .limit(500);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await ctx.write(async ({ tx, emit }) => {
    await tx.delete(projects).where(inArray(projects.id, ids));
    for (const id of ids) await emit('project.deleted', { project_id: id, is_final: true });
  });
}
