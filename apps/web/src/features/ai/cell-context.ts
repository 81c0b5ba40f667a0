import type { CellOutput } from '@atoll/contract';
import type { NotebookStore } from '../notebook/store.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
const colours = /\u001b\[[0-9;]*m/g;

/** The traceback that a cell shows, without its colours. */
export function errorIn(outputs: readonly CellOutput[]): string {
  const error = outputs.find(({ output_type }) => output_type === 'error') as { traceback?: unknown } | undefined;
  const lines = Array.isArray(error?.traceback) ? error.traceback : [];
  return lines.join('\n').replace(colours, '').slice(0, 20_000);
}

const mostTables = 20;

/** Tables in the kernel with their columns; none where there is no kernel, or it is busy. */
export async function tablesIn(store: NotebookStore) {
  try {
    const topic = store.must();
    const { variables } = await topic.send('vars_list', {});
    const names = variables.filter(({ is_table }) => is_table).map(({ name }) => name);
    return await Promise.all(
      names.slice(0, mostTables).map(async (name) => ({ name, ...(await topic.send('dataframe_columns', { name })) })),
    );
  } catch {
    return [];
  }
}
