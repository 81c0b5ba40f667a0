import type { Output } from './output.ts';

/** A Jupyter notebook, nbformat 4; fields we do not know are kept as they are. */
export interface NotebookCell {
  cell_type: string;
  id?: string;
  source: string | string[];
  metadata: { tags?: string[]; [name: string]: unknown };
  execution_count?: number | null;
  outputs?: Output[];
  [name: string]: unknown;
}

export interface NotebookDocument {
  nbformat: number;
  nbformat_minor: number;
  metadata: { kernelspec?: { name?: string }; language_info?: { name?: string }; [name: string]: unknown };
  cells: NotebookCell[];
  [name: string]: unknown;
}

/** Why a file is no notebook, for whoever opened it. */
export class NotANotebook extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotANotebook';
  }
}

export function parseNotebook(text: string): NotebookDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new NotANotebook(`The notebook cannot be read: ${(error as Error).message}`);
  }
  const document = value as Partial<NotebookDocument> | null;
  if (typeof document !== 'object' || document === null || !Array.isArray(document.cells)) {
    throw new NotANotebook('The file is no notebook: it has no cells');
  }
  if (document.nbformat !== 4) throw new NotANotebook('Only notebooks of format 4 can be run');
  const cells = document.cells.map((cell, index) => {
    if (typeof cell !== 'object' || cell === null || typeof cell.cell_type !== 'string') {
      throw new NotANotebook(`Cell ${index + 1} of the notebook cannot be read`);
    }
    return { ...cell, metadata: cell.metadata ?? {}, source: cell.source ?? '' };
  });
  return { ...(document as NotebookDocument), metadata: document.metadata ?? {}, cells };
}

export const sourceOf = (cell: NotebookCell): string =>
  Array.isArray(cell.source) ? cell.source.join('') : String(cell.source);

/** As Jupyter writes it: one space, lines as a list, a line break at the end. */
export function writeNotebook(document: NotebookDocument): string {
  const cells = document.cells.map((cell) => ({
    ...cell,
    source: lines(sourceOf(cell)),
    ...(cell.outputs ? { outputs: cell.outputs.map(written) } : {}),
  }));
  return `${JSON.stringify({ ...document, cells }, null, 1)}\n`;
}

const lines = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

const written = (output: Output) =>
  output.output_type === 'stream' ? { ...output, text: lines(output.text) } : output;
