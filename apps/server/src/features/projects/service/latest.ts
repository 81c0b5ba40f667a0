import { and, desc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { files } from '../../files/table.ts';
import { runs } from '../../runs/table.ts';
import type { ProjectAccess } from './access.ts';

/** Of the main file: the newest version, and the newest that was run from start to end without an error. */
export interface LatestVersions {
  versionId: string | null;
  okVersionId: string | null;
}

export async function latestVersions(
  ctx: Context,
  { project: { defaultFileId }, abilities }: ProjectAccess,
): Promise<LatestVersions> {
  if (!defaultFileId || !abilities.includes('view_source')) return { versionId: null, okVersionId: null };
  const [[file], [run]] = await Promise.all([
    ctx.db.select({ versionId: files.versionId }).from(files).where(eq(files.id, defaultFileId)),
    abilities.includes('view_history')
      ? ctx.db
          .select({ versionId: runs.versionId })
          .from(runs)
          .where(and(eq(runs.fileId, defaultFileId), eq(runs.status, 'ok')))
          .orderBy(desc(runs.number))
          .limit(1)
      : [],
  ]);
  return { versionId: file?.versionId ?? null, okVersionId: run?.versionId ?? null };
}
