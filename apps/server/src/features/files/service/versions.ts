import { and, desc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { requireProject } from '../../projects/service/access.ts';
import { type FileRow, type FileVersionRow, fileVersions } from '../table.ts';
import { changeTree, requireFile, requireLockedFile } from './files.ts';
import { saveForCopy } from './open-documents.ts';
import { saveContent } from './store.ts';

export async function listVersions(
  ctx: Context,
  projectId: string,
  fileId: string,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ versions: FileVersionRow[]; total: number }> {
  await requireProject(ctx, ctx.db, projectId, 'project.view_history');
  await requireFile(ctx.db, projectId, fileId);
  const where = eq(fileVersions.fileId, fileId);
  const versions = await ctx.db
    .select()
    .from(fileVersions)
    .where(where)
    .orderBy(desc(fileVersions.version))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const total = await ctx.db.$count(fileVersions, where);
  return { versions, total };
}

async function findVersion(db: Context['db'], fileId: string, versionId: string): Promise<FileVersionRow> {
  const [version] = await db
    .select()
    .from(fileVersions)
    .where(and(eq(fileVersions.id, versionId), eq(fileVersions.fileId, fileId)));
  if (!version) throw notFound('This version');
  return version;
}

export async function getVersion(
  ctx: Context,
  projectId: string,
  fileId: string,
  versionId: string,
): Promise<FileVersionRow> {
  await requireProject(ctx, ctx.db, projectId, 'project.view_history');
  await requireFile(ctx.db, projectId, fileId);
  return findVersion(ctx.db, fileId, versionId);
}

/** The old content becomes the newest version; nothing in between is lost. */
export async function restoreVersion(
  ctx: Context,
  projectId: string,
  fileId: string,
  versionId: string,
): Promise<FileRow> {
  return changeTree(ctx, projectId, 'saved', async (write) => {
    const file = await requireLockedFile(write, projectId, fileId);
    const version = await findVersion(write.tx, fileId, versionId);
    const content = { blob: version.blob, size: version.size };
    const result = await saveContent(ctx, write, file, content, { name: `Restored from version ${version.version}` });
    return { result, fileIds: [fileId] };
  });
}

/** Which bytes a file or one of its versions has, for whoever may read it. */
export async function findContent(ctx: Context, projectId: string, fileId: string, versionId: string | null) {
  const { abilities } = await requireProject(ctx, ctx.db, projectId, 'project.view_source');
  // Reading writes nothing for who may not.
  if (!versionId && abilities.includes('edit')) await saveForCopy(ctx, projectId, ({ id }) => id === fileId);
  const file = await requireFile(ctx.db, projectId, fileId);
  if (file.deletedAt && !versionId) throw notFound('This file');
  const isEarlier = versionId !== null && (file.deletedAt !== null || versionId !== file.versionId);
  if (isEarlier) await requireProject(ctx, ctx.db, projectId, 'project.view_history');
  const { blob, size } = versionId ? await findVersion(ctx.db, fileId, versionId) : file;
  return { file, blob, size };
}
