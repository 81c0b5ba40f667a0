import type { Readable } from 'node:stream';
import { isInside } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { ZipFile } from 'yazl';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { requireProject } from '../../projects/service/access.ts';
import { directories, files } from '../table.ts';
import { saveForCopy } from './open-documents.ts';

/** The project, or parts of it, as a zip that is made while it is sent. */
export async function archiveProject(
  ctx: Context,
  projectId: string,
  paths: string[],
): Promise<{ name: string; stream: Readable }> {
  const { project, abilities } = await requireProject(ctx, ctx.db, projectId, 'project.export');
  const isWanted = (path: string) => paths.length === 0 || paths.some((each) => path === each || isInside(path, each));
  if (abilities.includes('edit')) await saveForCopy(ctx, projectId, ({ path }) => isWanted(path));
  const all = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.projectId, projectId), isNull(files.deletedAt)));
  const wanted = all.filter((file) => isWanted(file.path));
  if (paths.length > 0 && wanted.length === 0) throw notFound('What you chose');
  const folders = await ctx.db.select().from(directories).where(eq(directories.projectId, projectId));
  const zip = new ZipFile();
  for (const { path } of folders) if (isWanted(path)) zip.addEmptyDirectory(path);
  for (const file of wanted) {
    // Opened one by one as the zip reaches them: ten thousand files are not ten thousand open files.
    zip.addReadStreamLazy(file.path, { mtime: file.updatedAt }, (done) => {
      readBlob(ctx, file.blob).then(
        (content) => done(null, content),
        (error: Error) => done(error, null as never),
      );
    });
  }
  zip.end();
  return { name: project.name.replace(/[\\/:*?"<>|]/g, '_'), stream: zip.outputStream as Readable };
}
