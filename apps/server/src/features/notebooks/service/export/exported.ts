import type { NotebookFile } from '@atoll/notebook';
import { notebookAsHtml, notebookAsMarkdown, notebookAsScript } from '@atoll/notebook/export';

export type ExportedType = 'py' | 'md' | 'html';

export function exported(notebook: NotebookFile, type: ExportedType, path: string): string {
  if (type === 'py') return notebookAsScript(notebook);
  return type === 'md' ? notebookAsMarkdown(notebook) : notebookAsHtml(notebook, path);
}
