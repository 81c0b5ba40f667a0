import { text } from 'node:stream/consumers';
import type { RunDetail, RunParameters } from '@atoll/contract';
import { isNotebookPath, isScriptPath } from '@atoll/contract';
import { codeOf, hasTag, isSkipped, NoParameters, readNotebook, withParameters, writeNotebook } from '@atoll/notebook';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
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
  /** The notebook's file as it was; null for a script. */
  base: string | null;
}

export const isRunnable = (path: string): boolean => isNotebookPath(path) || isScriptPath(path);

/** What a run does, from the file as it was when it began: the same whenever it is asked. */
export async function planOf(ctx: Context, run: RunRow): Promise<Plan> {
  const written = await text(await readBlob(ctx, run.sourceBlob));
  const source = Object.keys(run.parameters).length > 0 ? parametrized(written, run.parameters) : written;
  if (!isNotebookPath(run.filePath)) {
    return { base: null, cells: [{ key: '1', code: source, number: 1, mayFail: false }] };
  }
  const cells = readNotebook(source).cells.flatMap((cell, index): PlannedCell[] => {
    const code = codeOf(cell);
    if (code === null || isSkipped(cell)) return [];
    return [{ key: cell.id, code, number: index + 1, mayFail: hasTag(cell, 'raises-exception') }];
  });
  return { base: source, cells };
}

function parametrized(source: string, parameters: RunParameters): string {
  try {
    return withParameters(source, parameters);
  } catch (error) {
    if (error instanceof NoParameters) throw new AppError('unprocessable_entity', error.message);
    throw error;
  }
}

/** The notebook with what its cells show. */
export function resultOf(base: string, executions: RunDetail['executions']): string {
  const { cells, metadata } = readNotebook(base);
  const byCell = new Map(executions.map((execution) => [execution.cell, execution]));
  const shown = cells.map((cell) => {
    const execution = byCell.get(cell.id);
    return {
      ...cell,
      shown: isSkipped(cell)
        ? null
        : { executionCount: execution?.execution_count ?? null, outputs: execution?.outputs ?? [] },
    };
  });
  return writeNotebook(base, { metadata, cells: shown });
}
