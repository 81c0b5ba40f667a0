import { type ContentKind, defaultPayload, defaultPrintSettings, type PrintSettings } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import type { PublishedPart } from '../../../platform/publication-kind.ts';
import type { Rendered, RenderJob, RenderShare } from '../../../platform/renderer/renderer.ts';
import { contentSize } from '../paper.ts';
import { mostPages } from './render.ts';
import { grantIn, renderToken } from './token.ts';

/** Content that was not published, printed as a publication of its kind would be. */
export interface PrintedFile {
  blob: string;
  contentKind: ContentKind;
  title: string;
  /** How it is printed; the usual way unless given. */
  settings?: PrintSettings;
  /** As it stands on its canvas, and how large that is in CSS pixels. */
  canvas?: { sheets: NonNullable<PublishedPart['sheets']>; width: number; height: number };
}

const subject = (blob: string) => `file ${blob}`;

/** Whether the caller may read it must have been asked before. */
export async function renderFile(
  ctx: Context,
  { blob, contentKind, title, canvas, settings = defaultPrintSettings }: PrintedFile,
  format: RenderJob['format'],
  share: RenderShare,
): Promise<Rendered> {
  // What is printed is in the token itself: there is no record of it.
  const token = await renderToken(ctx, {
    publicationId: subject(blob),
    versionId: contentKind,
    key: JSON.stringify({ title, canvas, settings }),
  });
  const path = `/print/file/${blob}?token=${encodeURIComponent(token)}`;
  return ctx.renderer.render({ path, format, ...sizeOf(canvas, settings), mostPages, share });
}

/** What a token says of the content with this hash; null for any other token. */
export async function printedFile(ctx: Context, blob: string, token: string) {
  const grant = await grantIn(ctx, token);
  const kind = ctx.publicationKinds.find((each) => each.contentKind === grant?.versionId);
  if (grant?.publicationId !== subject(blob) || !kind) return null;
  const { title, canvas, settings } = JSON.parse(grant.key) as Required<Pick<PrintedFile, 'title' | 'settings'>> &
    Pick<PrintedFile, 'canvas'>;
  const part = {
    ...{ hasCharts: true, isPrinted: true },
    ...(canvas && { sheets: canvas.sheets }),
    ...(settings.cell_ids && { cellIds: settings.cell_ids }),
  };
  const { html } = await kind.render(ctx, blob, defaultPayload, part);
  return { title, html, canvas, settings };
}

const sizeOf = (canvas: PrintedFile['canvas'], settings: PrintSettings) =>
  canvas ? { width: canvas.width, height: canvas.height } : contentSize(settings);
