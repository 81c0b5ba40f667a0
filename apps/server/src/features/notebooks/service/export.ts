import { baseName } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { requireProject } from '../../projects/service/access.ts';
import { renderFile } from '../../reports/service/render-file.ts';
import { type Address, requireNotebookFile } from './address.ts';
import { exportedBase } from './base.ts';
import { saveNotebook } from './save.ts';

export const exportTypes = ['ipynb', 'py', 'md', 'html', 'pdf'] as const;

/** A notebook as a file of another kind; what is not saved yet is in it. */
export async function exportNotebook(ctx: Context, address: Address, type: (typeof exportTypes)[number]) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.export');
  await requireNotebookFile(ctx.db, address);
  await saveNotebook(ctx, address.fileId);
  const file = await requireNotebookFile(ctx.db, address);
  const name = file.path.replace(/\.(ipynb|mpsw)$/i, `.${type}`);
  if (type === 'ipynb') {
    const content = await ctx.blobs.get(file.blob);
    if (!content) throw new Error('The content of a notebook is gone');
    return { name, content, mimeType: 'application/x-ipynb+json' };
  }
  if (type === 'pdf') {
    const title = baseName(file.path).replace(/\.(ipynb|mpsw)$/i, '');
    const contentKind = /\.mpsw$/i.test(file.path) ? 'canvases' : 'notebooks';
    const { body } = await renderFile(ctx, { blob: file.blob, contentKind, title }, 'pdf');
    return { name, content: body, mimeType: 'application/pdf' };
  }
  return { name, content: await exportedBase(ctx, file.blob, type, file.path), mimeType: mimeTypes[type] };
}

const mimeTypes = {
  py: 'text/x-python; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};
