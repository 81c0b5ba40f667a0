import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ProjectAbility, type RenderFormat, uploadLimits } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import type { PageParts, Rendered, RenderShare } from '../../../platform/renderer/renderer.ts';
import { contentSize } from '../paper.ts';
import { reportFiles } from '../table.ts';
import { type Printed, printedOf } from './printed.ts';
import { tellProgress } from './progress.ts';
import { renderShare } from './share.ts';
import { renderToken } from './token.ts';

interface RenderOptions {
  format: RenderFormat;
  /** Of the caller, in the project it is from. */
  abilities?: readonly ProjectAbility[];
  /** For work that nobody looks at. */
  waitMs?: number;
  onProgress?(parts: PageParts): void;
}

export const mostPages = 500;
export const reportTypes = { pdf: 'application/pdf', png: 'image/png' };

/** Asked for by several at once, it is drawn once. */
const beingDrawn = appState(() => new Map<string, Promise<Rendered>>());

/**
 * A publication as it is printed: for readers, and for deliveries. Whether the caller may read it must have been asked before.
 * Throws an `AppError` with a reason for its author; a `RenderFailure` says whether trying again can help, and which cells are to
 * blame. Parts that could not be drawn are in `failedParts`: such a document is shown, and not delivered.
 */
export async function renderReport(
  ctx: Context,
  publicationId: string,
  { format, abilities = [], waitMs, onProgress }: RenderOptions,
): Promise<Rendered> {
  const printed = await printedOf(ctx, publicationId);
  const drawing = beingDrawn(ctx);
  const share = { ...renderShare(ctx, printed.ownerId, abilities), ...(waitMs !== undefined && { waitMs }) };
  const name = `${publicationId} ${format} ${printed.key} ${share.isReader}`;
  const known =
    drawing.get(name) ??
    keptFile(ctx, printed, format).then((kept) => kept ?? drawReport(ctx, printed, { format, share, onProgress }));
  drawing.set(name, known);
  return known.finally(() => drawing.delete(name));
}

async function drawReport(
  ctx: Context,
  printed: Printed,
  { format, share, onProgress }: { format: RenderFormat; share: RenderShare; onProgress: RenderOptions['onProgress'] },
): Promise<Rendered> {
  const { publication, versionId, key, settings } = printed;
  const token = await renderToken(ctx, { publicationId: publication.id, versionId, key });
  const { width, height } = contentSize(settings);
  const rendered = await ctx.renderer
    .render(
      // A picture has no margins but those of the page.
      {
        path: printPath(publication.id, token),
        format,
        width: format === 'png' ? width + 64 : width,
        height,
        mostPages,
        share,
      },
      (parts) => {
        const { expected, drawn, empty, failed } = parts;
        const done = drawn.length + empty.length + failed.length;
        tellProgress(ctx, publication.id, { drawn: done, expected: expected.length });
        onProgress?.(parts);
      },
    )
    .finally(() => tellProgress(ctx, publication.id, null));
  // What has gaps may be whole the next time.
  if (rendered.failedParts.length === 0) await keepFile(ctx, printed, format, rendered);
  return rendered;
}

export const printPath = (publicationId: string, token?: string) =>
  `/print/${publicationId}${token ? `?token=${encodeURIComponent(token)}` : ''}`;

async function keptFile(ctx: Context, { publication, key }: Printed, format: RenderFormat): Promise<Rendered | null> {
  const [file] = await ctx.db
    .select()
    .from(reportFiles)
    .where(
      and(eq(reportFiles.publicationId, publication.id), eq(reportFiles.format, format), eq(reportFiles.key, key)),
    );
  const content = file && (await ctx.blobs.get(file.fileBlob));
  return content ? { body: await buffer(content), pages: file.pages, failedParts: [] } : null;
}

async function keepFile(
  ctx: Context,
  { publication, key }: Printed,
  format: RenderFormat,
  { body, pages }: Rendered,
): Promise<void> {
  const { sha256 } = await ctx.blobs.put(Readable.from([body]), uploadLimits.file);
  const values = { key, fileBlob: sha256, size: body.length, pages, createdAt: ctx.now() };
  await ctx.write(async (write) => {
    await write.tx
      .insert(reportFiles)
      .values({ publicationId: publication.id, format, ...values })
      .onConflictDoUpdate({ target: [reportFiles.publicationId, reportFiles.format], set: values });
    const about = { publication_id: publication.id, project_id: publication.projectId };
    await write.emit('report.rendered', { ...about, format, pages });
  });
}
