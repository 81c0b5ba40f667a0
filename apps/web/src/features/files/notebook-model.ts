import { isObject, listOf, textOf } from '../outputs/model.ts';

export interface NotebookCell {
  id: string | null;
  kind: 'markdown' | 'code' | 'raw';
  source: string;
  count: number | null;
  outputs: unknown;
}

/** Reads a Jupyter notebook; null for any other text. */
export function parseNotebook(text: string): NotebookCell[] | null {
  try {
    const notebook: unknown = JSON.parse(text);
    if (!isObject(notebook) || !Array.isArray(notebook.cells)) return null;
    return listOf(notebook.cells).map((cell) => ({
      id: typeof cell.id === 'string' ? cell.id : null,
      kind: cell.cell_type === 'markdown' || cell.cell_type === 'raw' ? cell.cell_type : 'code',
      source: textOf(cell.source),
      count: typeof cell.execution_count === 'number' ? cell.execution_count : null,
      outputs: cell.outputs,
    }));
  } catch {
    return null;
  }
}
