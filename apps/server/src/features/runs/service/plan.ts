import { text } from 'node:stream/consumers';
import type { RunDetail } from '@atoll/contract';
import { extensionOf, fileTypeOf } from '@atoll/contract';
import { type NotebookDocument, parseNotebook, sourceOf, writeNotebook } from '@atoll/notebook';
import type { Context } from '../../../platform/context.ts';
import type { RunRow } from '../table.ts';

export interface PlannedCell {
  /** As the execution is called: the cell's id, or its place. */
  key: string;
  code: string;
  /** Which cell it is for people, from 1. */
  number: number;
  mayFail: boolean;
}

export interface Plan {
  cells: PlannedCell[];
  document: NotebookDocument | null;
}

export const isNotebook = (path: string): boolean => extensionOf(path) === 'ipynb';
export const isRunnable = (path: string): boolean => isNotebook(path) || fileTypeOf(path) === 'script';

/** What a run does, from the file as it was when it began: the same whenever it is asked. */
export async function planOf(ctx: Context, run: RunRow): Promise<Plan> {
  const content = await ctx.blobs.get(run.sourceBlob);
  if (!content) throw new Error('The content of the file is gone');
  const source = await text(content);
  if (!isNotebook(run.filePath)) {
    return { document: null, cells: [{ key: '1', code: source, number: 1, mayFail: false }] };
  }
  const document = parseNotebook(source);
  const keys = keysOf(document);
  const cells = document.cells.flatMap((cell, index): PlannedCell[] => {
    const code = sourceOf(cell);
    if (cell.cell_type !== 'code' || code.trim() === '') return [];
    const { tags } = cell.metadata;
    const mayFail = Array.isArray(tags) && tags.includes('raises-exception');
    return [{ key: keys[index] ?? '', code, number: index + 1, mayFail }];
  });
  return { document, cells };
}

/** By its id, or by its place where it has none or shares it with another. */
function keysOf({ cells }: NotebookDocument): string[] {
  const ids = cells.map(({ id }) => id);
  return ids.map((id, index) =>
    typeof id === 'string' && id !== '' && ids.indexOf(id) === ids.lastIndexOf(id) ? id : `:${index + 1}`,
  );
}

/** The notebook with what its cells show. */
export function resultOf(document: NotebookDocument, executions: RunDetail['executions']): string {
  const keys = keysOf(document);
  const byCell = new Map(executions.map((execution) => [execution.cell, execution]));
  const cells = document.cells.map((cell, index) => {
    if (cell.cell_type !== 'code') return cell;
    const execution = byCell.get(keys[index] ?? '');
    return {
      ...cell,
      execution_count: execution?.execution_count ?? null,
      outputs: execution?.outputs ?? [],
    };
  });
  return writeNotebook({ ...document, cells });
}
