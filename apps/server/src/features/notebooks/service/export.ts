import { notebookAsHtml, notebookAsMarkdown, notebookAsScript } from '@atoll/notebook/export';
import type { Context } from '../../../platform/context.ts';
import { requireProject } from '../../projects/service/access.ts';
import { type Address, requireNotebookFile } from './address.ts';
import { readBase, readText } from './base.ts';
import { saveNotebook } from './save.ts';

export const exportTypes = ['ipynb', 'py', 'md', 'html'] as const;

/** A notebook as a file of another kind; what is not saved yet is in it. */
export async function exportNotebook(ctx: Context, address: Address, type: (typeof exportTypes)[number]) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.export');
  await requireNotebookFile(ctx.db, address);
  await saveNotebook(ctx, address.fileId);
  const file = await requireNotebookFile(ctx.db, address);
  const name = file.path.replace(/\.ipynb$/i, `.${type}`);
  if (type === 'ipynb') {
    return { name, content: await readText(ctx, file.blob), mimeType: 'application/x-ipynb+json' };
  }
  const notebook = await readBase(ctx, file.blob);
  if (type === 'py') return { name, content: notebookAsScript(notebook), mimeType: 'text/x-python; charset=utf-8' };
  if (type === 'md') return { name, content: notebookAsMarkdown(notebook), mimeType: 'text/markdown; charset=utf-8' };
  return { name, content: notebookAsHtml(notebook, file.path), mimeType: 'text/html; charset=utf-8' };
}
