import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { notebooks } from '../../notebooks/table.ts';
import { files } from '../table.ts';

type OpenDocument = Pick<typeof files.$inferSelect, 'id' | 'path'>;

async function unsavedDocuments(ctx: Context, projectId: string): Promise<OpenDocument[]> {
  return ctx.db
    .select({ id: files.id, path: files.path })
    .from(notebooks)
    .innerJoin(files, eq(files.id, notebooks.fileId))
    .where(and(eq(notebooks.projectId, projectId), isNotNull(notebooks.unsavedSince), isNull(files.deletedAt)));
}

const save = async (ctx: Context, { id, path }: OpenDocument): Promise<void> =>
  ctx.documentTools.find((kind) => kind.takes({ path }))?.save(ctx, id);

/** Before the state of a project is kept: documents that people have open are saved, as what they see is what is meant. */
export async function saveOpenDocuments(ctx: Context, projectId: string): Promise<void> {
  for (const open of await unsavedDocuments(ctx, projectId)) await save(ctx, open);
}

/** Before files are copied or read. What cannot be saved now is copied as it was saved last. */
export async function saveForCopy(
  ctx: Context,
  projectId: string,
  isCopied: (file: OpenDocument) => boolean = () => true,
): Promise<void> {
  for (const open of (await unsavedDocuments(ctx, projectId)).filter(isCopied))
    await save(ctx, open).catch((error: unknown) =>
      ctx.log.error({ error, file: open.id }, 'A document could not be saved before it was copied'),
    );
}
