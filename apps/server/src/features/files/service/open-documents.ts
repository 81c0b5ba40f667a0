import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { notebooks } from '../../notebooks/table.ts';
import { files } from '../table.ts';

/** Before files are copied or read: documents that people have open are saved, as what they see is what is meant. */
export async function saveOpenDocuments(ctx: Context, projectId: string, fileId?: string): Promise<void> {
  const isUnsaved = and(
    eq(notebooks.projectId, projectId),
    fileId ? eq(notebooks.fileId, fileId) : undefined,
    isNotNull(notebooks.unsavedSince),
    isNull(files.deletedAt),
  );
  const open = await ctx.db
    .select({ id: files.id, path: files.path })
    .from(notebooks)
    .innerJoin(files, eq(files.id, notebooks.fileId))
    .where(isUnsaved);
  for (const { id, path } of open) await ctx.documentTools.find((kind) => kind.takes({ path }))?.save(ctx, id);
}
