import { z } from 'zod';
import { output } from '../kernels/entity.ts';
import { cellId, cellSource, cellType } from './entity.ts';

const patch = z.record(z.string(), z.unknown()).describe('Merged into what is there; null takes a field away');
const afterId = cellId.nullable().describe('The cell it comes after; null: the beginning');

/** A drawing of some thousand points fits; pictures belong to a cell's attachments. */
const maxItem = 200_000;
const itemFields = z
  .record(z.string(), z.unknown())
  .refine((fields) => JSON.stringify(fields).length <= maxItem, 'This item is too large');

export const newCell = z.strictObject({
  id: cellId.describe('Created by the client'),
  type: cellType.default('code'),
  source: cellSource.default(''),
  metadata: z.record(z.string(), z.unknown()).default({}),
  attachments: z.record(z.string(), z.unknown()).nullable().default(null),
  outputs: z.array(output).max(10_000).optional().describe('Of a cell that is pasted'),
  execution_count: z.int().nullable().optional(),
});
export type NewCell = z.infer<typeof newCell>;

/** The fields of each operation, as the command of its name takes them. */
export const operationFields = {
  insert_cell: z.strictObject({ cell: newCell, after_id: afterId }),
  move_cell: z.strictObject({ cell_id: cellId, after_id: afterId }),
  delete_cell: z.strictObject({ cell_id: cellId }),
  restore_cell: z.strictObject({ cell_id: cellId, after_id: afterId.optional() }),
  set_cell_type: z.strictObject({ cell_id: cellId, type: cellType }),
  update_cell_source: z.strictObject({
    cell_id: cellId,
    source: cellSource,
    base: cellSource
      .optional()
      .describe('The text this was written over: what others made of it in the meantime is merged with it'),
    base_revision: z.int().optional().describe('Refused as stale when the cell is another one by now'),
    base_checksum: z
      .string()
      .max(40)
      .optional()
      .describe('Of the text this was written over (`textChecksum`): refused as stale when another one stands there'),
  }),
  update_cell_metadata: z.strictObject({ cell_id: cellId, metadata: patch }),
  update_cell_attachments: z.strictObject({ cell_id: cellId, attachments: patch }),
  update_metadata: z.strictObject({ metadata: patch }),
  clear_cell_output: z.strictObject({ cell_id: cellId }),
  insert_item: z.strictObject({ item_id: cellId.describe('Created by the client'), fields: itemFields }),
  update_item: z.strictObject({
    item_id: cellId,
    fields: itemFields.describe('Merged into what is there; null takes a field away'),
  }),
  delete_item: z.strictObject({ item_id: cellId }),
};

const {
  insert_cell,
  move_cell,
  delete_cell,
  restore_cell,
  set_cell_type,
  update_cell_source,
  update_cell_metadata,
  update_cell_attachments,
  update_metadata,
  clear_cell_output,
  insert_item,
  update_item,
  delete_item,
} = operationFields;

/** What can be done to a notebook's document. Browser and server carry it out with the same code. */
export const operation = z.discriminatedUnion('op', [
  insert_cell.extend({ op: z.literal('insert_cell') }),
  move_cell.extend({ op: z.literal('move_cell') }),
  delete_cell.extend({ op: z.literal('delete_cell') }),
  restore_cell.extend({ op: z.literal('restore_cell') }),
  set_cell_type.extend({ op: z.literal('set_cell_type') }),
  update_cell_source.extend({ op: z.literal('update_cell_source') }),
  update_cell_metadata.extend({ op: z.literal('update_cell_metadata') }),
  update_cell_attachments.extend({ op: z.literal('update_cell_attachments') }),
  update_metadata.extend({ op: z.literal('update_metadata') }),
  clear_cell_output.extend({ op: z.literal('clear_cell_output') }),
  insert_item.extend({ op: z.literal('insert_item') }),
  update_item.extend({ op: z.literal('update_item') }),
  delete_item.extend({ op: z.literal('delete_item') }),
]);
export type Operation = z.infer<typeof operation>;
