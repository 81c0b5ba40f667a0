import { z } from 'zod';
import { aiCommands } from '../ai/channel.ts';
import type { Permission } from '../declarations.ts';
import { done, flag, id, line, text } from '../fields.ts';
import { execution, kernelName, output, outputChange } from '../kernels/entity.ts';
import { computeTiers } from '../plans.ts';
import { personSummary } from '../projects/entity.ts';
import { command, topic } from '../topic.ts';
import {
  binnedCell,
  boardItem,
  cellExecution,
  cellId,
  cellInput,
  cellLock,
  cellShown,
  documentCell,
  framePage,
  notebook,
  notebookHead,
  notebookKernel,
  notebookModes,
  notebookSettings,
  outputsPiece,
  queuedCell,
  variable,
} from './entity.ts';
import { operation, operationFields } from './operations.ts';

const nothing = z.strictObject({});
const byCell = z.strictObject({ cell_id: cellId });

const toldCell = documentCell.extend({
  attachments: documentCell.shape.attachments.optional().describe('Left out when an edit did not change them'),
  attachments_of: z.int().optional().describe('The revision whose attachments it has, where they are left out'),
});
export type PublishedCell = z.infer<typeof toldCell>;

/** The result of an edit, which is also broadcast to all clients. */
export const documentChange = z.object({
  cells: z.array(toldCell).describe('As they are now'),
  deleted_ids: z.array(cellId),
  head: notebookHead.nullable().describe('When it changed'),
  cleared_ids: z.array(cellId).describe('Cells that show nothing any more'),
  shown: z.record(cellId, cellShown).describe('What cells show that came with outputs'),
  items: z.array(boardItem).describe('Of a canvas, as they are now'),
});
export type PublishedChange = z.infer<typeof documentChange>;
export type DocumentChange = Omit<PublishedChange, 'cells'> & { cells: z.infer<typeof documentCell>[] };

const writes = <Input extends z.ZodType, Output extends z.ZodType>(
  permission: Permission,
  summary: string,
  input: Input,
  output: Output,
) => command({ permission, summary, input, output, isWriting: true });
const reads = <Input extends z.ZodType, Output extends z.ZodType>(
  permission: Permission,
  summary: string,
  input: Input,
  output: Output,
) => command({ permission, summary, input, output });

/** Of the kernel, which may be long in answering. */
const asks = <Input extends z.ZodType, Output extends z.ZodType>(summary: string, input: Input, output: Output) =>
  command({ permission: 'project.execute', flag: 'kernels', summary, input, output, isAside: true });

const edits = <Input extends z.ZodType>(summary: string, input: Input) =>
  writes('project.edit', summary, input, documentChange);

const queue = z.object({ queue: z.array(queuedCell) });
const runs = <Input extends z.ZodType>(summary: string, input: Input) => ({
  ...writes('project.execute', summary, input, queue),
  flag: 'kernels' as const,
});

const kernelState = z.object({ kernel: notebookKernel });
const settings = z.object({ settings: notebookSettings });
const locks = z.object({ locks: z.array(cellLock) });
const place = z.strictObject({
  code: text(2_000_000),
  cursor: z.int().min(0).describe('In UTF-16 units, as JavaScript counts'),
});

/** Of the notebook itself; on the topic the assistant's are beside them. */
export const notebookCommands = {
  get_notebook: reads('project.view_source', 'All of it', nothing, notebook),
  get_cell_output: reads(
    'project.view_source',
    'More of what a cell shows',
    z.strictObject({ cell_id: cellId, from: z.int().min(0).default(0), execution_id: id.optional() }),
    outputsPiece,
  ),
  start_editing: writes(
    'project.edit',
    'Begin to edit the notebook: the right is checked before anything is typed',
    z.strictObject({ tag: line(80).default('') }),
    z.object({ mode: z.enum(notebookModes) }),
  ),
  start_editing_cell: writes(
    'project.edit',
    'Begin to write in a cell; refused with `locked` while another person does, unless `takeover`',
    z.strictObject({ cell_id: cellId, tag: line(80).default(''), takeover: z.boolean().default(false) }),
    locks,
  ),
  stop_editing_cell: writes('project.edit', 'Stop writing in a cell', byCell, locks),

  edit: edits(
    'Several operations at once: all of them, or none',
    z.strictObject({
      operations: z.array(operation).min(1).max(2_000),
    }),
  ),
  insert_cell: edits('Add a cell', operationFields.insert_cell),
  move_cell: edits('Move a cell', operationFields.move_cell),
  delete_cell: edits('Put a cell into the bin', operationFields.delete_cell),
  restore_cell: edits('Take a cell out of the bin', operationFields.restore_cell),
  set_cell_type: edits('Make a cell another kind', operationFields.set_cell_type),
  update_cell_source: edits('Write in a cell', operationFields.update_cell_source),
  update_cell_metadata: edits("Change a cell's metadata", operationFields.update_cell_metadata),
  update_metadata: edits("Change the notebook's metadata", operationFields.update_metadata),
  select_theme: edits(
    'How the notebook, or one cell, looks',
    z.strictObject({ theme: line(40).nullable(), cell_id: cellId.optional() }),
  ),
  toggle_cell_collapsed: edits(
    'Fold or unfold a cell',
    z.strictObject({
      cell_id: cellId,
      part: z.enum(['source', 'outputs']).default('source'),
      is_collapsed: z.boolean().optional(),
    }),
  ),
  toggle_all_cells_collapsed: edits(
    'Fold or unfold all cells',
    z.strictObject({ part: z.enum(['source', 'outputs']).default('source'), is_collapsed: z.boolean() }),
  ),
  clear_cell_output: edits('Take away what a cell shows', operationFields.clear_cell_output),
  clean: edits(
    'Clear the outputs of all cells; with `restart` the kernel restarts',
    z.strictObject({
      restart: z.boolean().default(false),
    }),
  ),
  list_bin: reads(
    'project.view_history',
    'Deleted cells, newest first',
    nothing,
    z.object({ cells: z.array(binnedCell) }),
  ),
  set_input: writes(
    'project.execute',
    'Set the value of an input cell',
    z.strictObject({ cell_id: cellId, value: cellInput.shape.value }),
    documentChange.extend({ queue: z.array(queuedCell) }),
  ),

  execute_cell: runs('Run a cell', z.strictObject({ cell_id: cellId })),
  execute_cells: runs(
    'Run cells, in this order; the rest is not run after one fails',
    z.strictObject({
      cell_ids: z.array(cellId).min(1).max(20_000),
    }),
  ),
  execute_all_cells: runs('Run all cells', z.strictObject({ restart: z.boolean().default(false) })),
  cancel_execution: runs(
    'Take waiting cells out of the queue',
    z.strictObject({ ids: z.array(id).min(1).max(20_000) }),
  ),
  move_execution: runs(
    'Run a waiting cell sooner or later',
    z.strictObject({ id, after_id: id.nullable().describe('The one it comes after; null: next') }),
  ),
  reply_input: runs('Answer what the code asks for', z.strictObject({ id, value: text(1_000_000) })),
  interrupt: runs(
    'Stop what runs, and empty the queue; or stop one of those that run, and leave the rest alone',
    z.strictObject({ id: id.optional().describe('Of the one that is to be stopped') }),
  ),
  restart: writes('project.execute', 'Restart the kernel; its variables are gone', nothing, kernelState),
  stop_kernel: writes('project.execute', 'End the kernel', nothing, kernelState),

  select_kernel: writes(
    'project.execute',
    'Choose the kernel',
    z.strictObject({ kernel: kernelName.nullable() }),
    kernelState,
  ),
  set_memory: writes(
    'project.execute',
    'Choose how large the server is',
    z.strictObject({ tier: z.enum(computeTiers) }),
    kernelState,
  ),
  toggle_gpu: writes('project.execute', 'With or without a GPU', z.strictObject({ is_gpu: z.boolean() }), kernelState),
  toggle_autorun_after_files_updated: writes(
    'project.edit',
    'Run all cells when a file of the project changes',
    z.strictObject({ is_enabled: z.boolean() }),
    settings,
  ),
  toggle_parallel_execution_enabled: writes(
    'project.edit',
    'Run cells that were not asked for together beside each other, where the kernel can; which of them is first is not said',
    z.strictObject({ is_enabled: z.boolean() }),
    settings,
  ),

  save_version: writes(
    'project.edit',
    'Save now; with a name it is a version of its own',
    z.strictObject({ name: line(200).optional() }),
    z.object({ version: z.int(), version_id: id }),
  ),
  restore_version: writes(
    'project.edit',
    'Make an earlier version the newest',
    z.strictObject({ version_id: id }),
    done,
  ),

  get_completions: asks(
    'How the code can go on',
    place,
    z.object({
      matches: z.array(z.object({ text: z.string(), type: z.string().nullable(), signature: z.string().nullable() })),
      from: z.int(),
      to: z.int(),
    }),
  ),
  get_documentation: asks(
    'What is known about the name at the cursor',
    place.extend({ detail: z.union([z.literal(0), z.literal(1)]).default(0) }),
    z.object({ data: z.record(z.string(), z.unknown()).nullable() }),
  ),
  execute_code: asks(
    'Run code beside the cells; it is not kept',
    z.strictObject({ code: text(100_000) }),
    z.object({ outputs: z.array(output), state: z.enum(['ok', 'error', 'aborted']) }),
  ),
  vars_list: asks('The variables there are', nothing, z.object({ variables: z.array(variable) })),
  dataframe_columns: asks(
    'The columns of a table',
    z.strictObject({ name: line(500) }),
    z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
    }),
  ),
  get_frame_page: asks(
    'Rows of a table in the kernel: of one that is shown, or of a variable',
    z.strictObject({
      frame_id: line(200).optional(),
      name: line(500).optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(1_000).default(50),
      sort: z
        .array(z.strictObject({ column: z.int().min(0), is_descending: z.boolean() }))
        .max(5)
        .default([]),
      filters: z
        .array(
          z.strictObject({
            column: z.int().min(0),
            comparison: z.enum(['=', '!=', '<', '<=', '>', '>=', 'contains', 'is_empty', 'is_not_empty']),
            value: z.string().max(1_000).default(''),
          }),
        )
        .max(20)
        .default([]),
      search: z.string().max(200).default(''),
    }),
    framePage,
  ),
  excel_sheets: reads(
    'project.view_source',
    'The sheets of a workbook in the project',
    z.strictObject({ path: z.string().max(2_000) }),
    z.object({
      sheets: z.array(z.string()),
    }),
  ),
  s3_files: reads(
    'project.view_source',
    "The project's files",
    z.strictObject({ search: line(200).default('') }),
    z.object({
      files: z.array(z.object({ path: z.string(), size: z.int() })),
    }),
  ),
  comm_message: reads(
    'project.execute',
    'To a widget in the kernel',
    z.strictObject({
      comm_id: z.string().max(200),
      type: z.enum(['comm_open', 'comm_msg', 'comm_close']),
      target_name: z.string().max(200).optional(),
      data: z.record(z.string(), z.unknown()),
      buffers: z.array(z.string()).max(100).default([]).describe('Base64'),
    }),
    done,
  ),
  get_widgets: reads(
    'project.view_source',
    'The state of all widgets',
    nothing,
    z.object({
      widgets: z.record(
        z.string(),
        z.object({
          state: z.record(z.string(), z.unknown()),
          buffers: z
            .array(
              z.object({
                path: z.array(z.union([z.string(), z.int()])),
                encoding: z.literal('base64'),
                data: z.string(),
              }),
            )
            .describe('Pictures and the like, each with its place in the state'),
        }),
      ),
    }),
  ),
};

/** What a snippet answers when there is no kernel, or it is busy for too long. */
export const notebookTopic = topic('notebook:{projectId}/{fileId}', {
  permission: 'project.view_source',
  summary: 'A notebook: its cells, outputs, queue and kernel',
  join: z.strictObject({
    view_only: flag.optional(),
    input_mutation: flag.optional().describe('Inputs can be set and cells run, nothing else'),
    with_last_ok_run: flag.optional().describe('As the last run that succeeded left it'),
    debug_mode: flag.optional().describe('Answered with `debug`: which server has the notebook, and what is not saved'),
    version_id: id.optional().describe('As an earlier version was; it cannot be changed'),
    publication_id: id
      .optional()
      .describe('As its readers see it, with their rights only: `get_notebook` and `get_cell_output`, without events'),
  }),
  joined: z.object({
    mode: z.enum(notebookModes),
    debug: z
      .object({
        server_id: z.string(),
        owner_id: z.string().nullable(),
        session_id: z.string().nullable(),
        revision: z.int(),
        unsaved_since: z.iso.datetime().nullable(),
      })
      .optional(),
  }),
  commands: { ...notebookCommands, ...aiCommands },
  events: {
    document_changed: documentChange.extend({ user: personSummary.nullable() }),
    document_replaced: z.object({}).describe('Replaced by another version or an upload: reload it'),
    execution_changed: z.object({ execution, changes: z.array(outputChange) }),
    cell_executed: z
      .object({ cell_id: cellId, execution: cellExecution })
      .describe('What the cell shows from now on is of this one'),
    queue_changed: z.object({
      changed: z.array(queuedCell).describe('New, moved, started or waiting for input'),
      removed_ids: z.array(id),
    }),
    kernel_changed: kernelState,
    locks_changed: locks,
    settings_changed: settings,
    saved: z.object({ version: z.int(), version_id: id, name: z.string().nullable() }),
    comm: z.object({
      type: z.enum(['comm_open', 'comm_msg', 'comm_close']),
      comm_id: z.string(),
      target_name: z.string().nullable(),
      data: z.record(z.string(), z.unknown()),
      metadata: z.record(z.string(), z.unknown()),
      buffers: z.array(z.string()),
    }),
  },
});

/** The notebook of an embed, for everyone who has its address. */
export const embeddedNotebookTopic = topic('notebook:{embedId}', {
  permission: 'embed.view',
  summary: 'A notebook by its embed, as it was last saved, to be read',
  joined: z.object({ mode: z.enum(notebookModes) }),
  commands: {
    get_notebook: { ...notebookCommands.get_notebook, permission: 'embed.view' },
    get_cell_output: { ...notebookCommands.get_cell_output, permission: 'embed.view' },
  },
});

/** One output of a cell, on a page of its own. */
export const embeddedCellTopic = topic('embedded_cell:{cellId}', {
  permission: 'project.view_source',
  summary: 'The outputs of one cell',
  join: z.strictObject({
    project_id: id,
    file_id: id,
    cell_output_index: z.int().min(0).optional(),
    mode: z.enum(['code', 'output', 'both']).default('output'),
  }),
  joined: z.object({ cell: documentCell.nullable(), shown: cellShown }),
  commands: {
    fetch_cell_output: reads(
      'project.view_source',
      'A page of it, with what matches only',
      z.strictObject({
        page: z.int().min(1).default(1),
        page_size: z.int().min(1).max(1_000).default(100),
        search_query: z.string().max(200).default(''),
      }),
      z.object({
        lines: z.array(z.object({ number: z.int(), text: z.string() })),
        outputs: z.array(output).describe('What is not text, on the first page'),
        page: z.int(),
        page_size: z.int(),
        total: z.int(),
      }),
    ),
  },
});
