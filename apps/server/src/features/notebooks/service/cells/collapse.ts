import type { DocumentCell, Operation } from '@atoll/contract';
import { fieldsOf } from '@atoll/notebook';

export type Part = 'source' | 'outputs';

const nameOf = (part: Part) => (part === 'source' ? 'source_hidden' : 'outputs_hidden');

export const isCollapsed = ({ metadata }: Pick<DocumentCell, 'metadata'>, part: Part): boolean =>
  fieldsOf(metadata.jupyter)[nameOf(part)] === true;

/** The metadata that JupyterLab uses. */
export const collapsing = (cellId: string, part: Part, isFolded: boolean): Operation => ({
  op: 'update_cell_metadata',
  cell_id: cellId,
  metadata: { jupyter: { [nameOf(part)]: isFolded ? true : null } },
});
