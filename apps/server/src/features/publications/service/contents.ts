import { type ContentKind, mainFileName, type ProjectKind } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { CopiedFile } from '../../../platform/publication-kind.ts';
import { type FileRow, files } from '../../files/table.ts';
import { type PublicationRow, type PublicationVersionRow, publicationVersions } from '../table.ts';
import { mayRun, type ReadablePublication, requirePublication } from './access.ts';
import { withPictures } from './pictures.ts';

/** What a deleted file was called is not known; its publication still has a kind. */
const kindOfContent: Partial<Record<ContentKind, ProjectKind>> = { canvases: 'canvas', strategies: 'strategy' };
const usualName = ({ contentKind }: PublicationRow): string => mainFileName[kindOfContent[contentKind] ?? 'notebook'];

/** A version as files: the document first, and what it needs beside it. */
export async function contentsOf(
  ctx: Context,
  { publication }: Pick<ReadablePublication, 'publication'>,
  { sourceBlob, payload }: PublicationVersionRow,
): Promise<[CopiedFile, ...CopiedFile[]]> {
  const [file] = publication.fileId
    ? await ctx.db.select({ path: files.path }).from(files).where(eq(files.id, publication.fileId))
    : [];
  const path = file?.path ?? usualName(publication);
  const kind = ctx.publicationKinds.find(({ contentKind }) => contentKind === publication.contentKind);
  if (kind?.copy) return kind.copy(ctx, sourceBlob, path);
  // Pictures that are kept for the article would be sent with every opening of the notebook.
  const blob =
    kind && payload.keeps_pictures
      ? await withPictures(ctx, kind, sourceBlob, { ...payload, keeps_pictures: false })
      : sourceBlob;
  return [{ path, content: { blob, size: await sizeOf(ctx, blob) } }];
}

async function sizeOf(ctx: Context, blob: string): Promise<number> {
  let size = 0;
  for await (const chunk of await readBlob(ctx, blob)) size += (chunk as Buffer).length;
  return size;
}

/** Whether all of its source is in the article. */
export const isWhole = ({ shows_code, hidden_cell_ids }: PublicationVersionRow['payload']): boolean =>
  shows_code && hidden_cell_ids.length === 0;

/** A published file in a version that its readers may read, whatever they may do with its project. */
export async function requirePublishedFile(
  ctx: Context,
  publicationId: string,
  { projectId, fileId }: { projectId: string; fileId: string },
  versionId?: string | null,
) {
  const readable = await requirePublication(ctx, ctx.db, publicationId, 'publication.view');
  const { publication } = readable;
  if (publication.projectId !== projectId) throw notFound('This publication');
  const [version] = await ctx.db
    .select()
    .from(publicationVersions)
    .where(
      and(
        eq(publicationVersions.id, versionId ?? publication.versionId ?? publicationId),
        eq(publicationVersions.publicationId, publicationId),
      ),
    );
  if (!version) throw notFound(versionId ? 'This version' : 'This publication');
  const [file] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.projectId, projectId)));
  if (!file) throw notFound('This file');
  // The publication gives this right for what it shows, whatever the reader may do with the project.
  ctx.authorize('project.view_source', { abilities: ['view_source'] });
  return { ...readable, version, file };
}

/** The bytes that readers of a publication may have: the published file where nothing of it is hidden, and what their copy has. */
export async function findPublishedContent(
  ctx: Context,
  publicationId: string,
  address: { projectId: string; fileId: string },
  versionId: string | null,
): Promise<{ file: FileRow; blob: string; size: number }> {
  const { version, file, ...readable } = await requirePublishedFile(ctx, publicationId, address, versionId);
  const { publication, abilities } = readable;
  const isAllowed = isWhole(version.payload) || abilities.includes('view_source');
  if (file.id === publication.fileId && isAllowed) {
    const [{ content }] = await contentsOf(ctx, readable, version);
    return { file, ...content };
  }
  const isCopied = publication.copiesProjectFiles && mayRun(readable) && versionId === null;
  if (file.deletedAt || !isCopied || file.id === publication.fileId) throw notFound('This file');
  return { file, blob: file.blob, size: file.size };
}
