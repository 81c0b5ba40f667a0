import type { CellShown } from '@atoll/contract';
import type { NotebookStore } from '../store.ts';

/** Describes the cell at which a run of all cells stopped and why; null where it goes on. */
export function whereStopped(store: NotebookStore, cellId: string, { execution, outputs }: CellShown): string | null {
  if (execution?.state !== 'error' || !store.isOfAll(execution.id)) return null;
  const error = outputs.findLast((output) => output.output_type === 'error');
  const why = error ? `${error.ename}${error.evalue ? `: ${error.evalue.slice(0, 120)}` : ''}` : 'it failed';
  return `Run all stopped at cell ${store.indexOf(cellId) + 1}: ${why}`;
}
