import { baseName, defaultPayload, defaultPrintSettings, type PrintSettings } from '@atoll/contract';
import { articleStyle } from '@atoll/notebook/article-style';
import { type Sheets, sheetSize, sheetStyle, sheetsAsSvg } from '@atoll/notebook/sheets';
import { readBlob } from '../../../../platform/blobs.ts';
import type { Context } from '../../../../platform/context.ts';
import { definedOf } from '../../../../platform/defined.ts';
import { AppError, notFound } from '../../../../platform/errors.ts';
import type { RenderShare } from '../../../../platform/renderer/renderer.ts';
import { requireProject } from '../../../projects/service/access.ts';
import { type PrintedFile, renderFile } from '../../../reports/service/render-file.ts';
import { renderShare } from '../../../reports/service/share.ts';
import { type Address, requireNotebookFile } from '../address.ts';
import { articleOf, exportedBase, readBase } from '../base.ts';
import { saveNotebook } from '../save.ts';

export const exportTypes = ['ipynb', 'py', 'md', 'html', 'pdf', 'slides', 'board', 'png', 'svg'] as const;
type ExportType = (typeof exportTypes)[number];
type PrintedCanvas = PrintedFile & Required<Pick<PrintedFile, 'canvas'>>;
type CanvasType = 'slides' | 'board' | 'png' | 'svg';
const isCanvasType = (type: ExportType): type is CanvasType => ['slides', 'board', 'png', 'svg'].includes(type);

interface ExportOptions {
  type: ExportType;
  frameId?: string | undefined;
  print?: { [Name in keyof PrintSettings]?: PrintSettings[Name] | undefined };
}

/** Exports a notebook in another format, with unsaved changes. */
export async function exportNotebook(ctx: Context, address: Address, { type, frameId, print }: ExportOptions) {
  const { project, abilities } = await requireProject(ctx, ctx.db, address.projectId, 'project.export');
  const share = renderShare(ctx, project.ownerId, abilities);
  await requireNotebookFile(ctx.db, address);
  await saveNotebook(ctx, address.fileId);
  const file = await requireNotebookFile(ctx.db, address);
  if (isCanvasType(type)) return exportCanvas(ctx, file, { type, frameId, share });
  const name = file.path.replace(/\.(ipynb|mpsw)$/i, `.${type}`);
  if (type === 'ipynb') {
    const content = await readBlob(ctx, file.blob);
    return { name, content, mimeType: 'application/x-ipynb+json' };
  }
  if (type === 'pdf') {
    const title = titleOf(file.path);
    const contentKind = /\.mpsw$/i.test(file.path) ? 'canvases' : 'notebooks';
    const settings = { ...defaultPrintSettings, ...definedOf(print ?? {}) };
    const { body } = await renderFile(ctx, { blob: file.blob, contentKind, title, settings }, 'pdf', share);
    return { name, content: body, mimeType: 'application/pdf' };
  }
  const content = await exportedBase(ctx, file.blob, type, file.path);
  if (type !== 'py') return { name, content, mimeType: mimeTypes[type] };
  const { scriptOf } = await import('@atoll/notebook/export');
  const { extension } = scriptOf(await readBase(ctx, file.blob));
  const mimeType = extension === 'py' ? mimeTypes.py : 'text/plain; charset=utf-8';
  return { name: name.replace(/py$/, extension), content, mimeType };
}

const titleOf = (path: string) => baseName(path).replace(/\.(ipynb|mpsw)$/i, '');

/** Exports the canvas: all of it, one frame, or each frame on a page. */
async function exportCanvas(
  ctx: Context,
  { blob, path }: { blob: string; path: string },
  { type, frameId, share }: { type: CanvasType; frameId: string | undefined; share: RenderShare },
) {
  const sheets: Sheets = type === 'slides' ? 'frames' : frameId === undefined ? 'board' : { frameId };
  const size = sheetSize(await readBase(ctx, blob), sheets);
  if (!size) {
    if (frameId !== undefined) throw notFound('This frame');
    throw new AppError('conflict', type === 'slides' ? 'This canvas has no frames.' : 'This canvas is empty.');
  }
  const { width, height } = size;
  const title = titleOf(path);
  const printed = { blob, contentKind: 'canvases' as const, title, canvas: { sheets, width, height } };
  if (type === 'svg') {
    const html = await sheetsAsHtml(ctx, printed, share);
    const content = sheetsAsSvg(html, articleStyle + sheetStyle, { width, height });
    return { name: `${title}.svg`, content, mimeType: 'image/svg+xml' };
  }
  const { body } = await renderFile(ctx, printed, type === 'png' ? 'png' : 'pdf', share);
  return type === 'png'
    ? { name: `${title}.png`, content: body, mimeType: 'image/png' }
    : { name: `${title}.pdf`, content: body, mimeType: 'application/pdf' };
}

/** A browser draws outputs that need a script; on a server without one, a note replaces them. */
async function sheetsAsHtml(ctx: Context, printed: PrintedCanvas, share: RenderShare): Promise<string> {
  const part = { isPrinted: true, sheets: printed.canvas.sheets };
  const { html } = await articleOf(ctx, printed.blob, defaultPayload, { ...part, hasCharts: true });
  if (!html.includes('<script ')) return html;
  try {
    return String((await renderFile(ctx, printed, 'xhtml', share)).body);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_implemented')) throw error;
    return (await articleOf(ctx, printed.blob, defaultPayload, { ...part, hasCharts: false })).html;
  }
}

const mimeTypes = {
  py: 'text/x-python; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};
