import type { Artifact, EndpointInput } from '@atoll/contract';
import { and, count, desc, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { files } from '../files/table.ts';
import { requireProject } from '../projects/service/access.ts';
import { runs } from '../runs/table.ts';
import { artifacts } from './table.ts';

export async function listArtifacts(
  ctx: Context,
  query: EndpointInput<'artifacts', 'list'>,
): Promise<{ entries: Artifact[]; total: number }> {
  await requireProject(ctx, ctx.db, query.id, 'project.view_history');
  const where = and(
    eq(artifacts.projectId, query.id),
    query.run_id ? eq(runs.id, query.run_id) : undefined,
    query.file_id ? eq(artifacts.fileId, query.file_id) : undefined,
  );
  const rows = await ctx.db
    .select({ artifact: artifacts, file: files, run: { id: runs.id, number: runs.number } })
    .from(artifacts)
    .innerJoin(files, eq(files.id, artifacts.fileId))
    .leftJoin(runs, eq(runs.sessionId, artifacts.sessionId))
    .where(where)
    .orderBy(desc(artifacts.createdAt), desc(artifacts.id))
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(artifacts)
    .leftJoin(runs, eq(runs.sessionId, artifacts.sessionId))
    .where(where);
  return {
    entries: rows.map(({ artifact, file, run }) => ({
      id: artifact.id,
      run,
      file: { id: file.id, name: file.path, is_deleted: file.deletedAt !== null },
      version: artifact.version,
      metadata: { mime_type: file.mimeType, language: file.language },
      size: artifact.size,
      created_at: artifact.createdAt.toISOString(),
    })),
    total: counted?.total ?? 0,
  };
}

export async function findArtifact(ctx: Context, projectId: string, id: string) {
  await requireProject(ctx, ctx.db, projectId, 'project.view_history');
  const [row] = await ctx.db
    .select({ blob: artifacts.blob, size: artifacts.size, path: files.path })
    .from(artifacts)
    .innerJoin(files, eq(files.id, artifacts.fileId))
    .where(and(eq(artifacts.id, id), eq(artifacts.projectId, projectId)));
  if (!row) throw notFound('This artifact');
  return row;
}

/** What one kernel wrote, not the file: that has versions of its own. */
export const deleteArtifact = (ctx: Context, projectId: string, id: string): Promise<void> =>
  ctx.write(async ({ tx, emit }) => {
    await requireProject(ctx, tx, projectId, 'project.edit');
    const [row] = await tx
      .delete(artifacts)
      .where(and(eq(artifacts.id, id), eq(artifacts.projectId, projectId)))
      .returning();
    if (!row) throw notFound('This artifact');
    await emit('artifact.deleted', { project_id: projectId, artifact_id: id, file_id: row.fileId });
  });
