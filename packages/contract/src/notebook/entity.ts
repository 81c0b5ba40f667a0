import { z } from 'zod';
import { id, line, text, time } from '../fields.ts';
import { execution, output } from '../kernels/entity.ts';
import { computeTiers } from '../plans.ts';
import { personSummary } from '../projects/entity.ts';

/** `sql` and `input` are code cells in the file, marked in `metadata.atoll`. */
export const cellTypes = ['code', 'markdown', 'raw', 'sql', 'input'] as const;
export const cellType = z.enum(cellTypes);
export type CellType = z.infer<typeof cellType>;

/** As nbformat 4.5 has it. */
export const cellId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 letters, digits, - or _');

const fields = z.record(z.string(), z.unknown());
/** A cell of more than this is no text that anybody writes. */
export const maxSource = 2_000_000;
export const cellSource = text(maxSource);

/** The spec's form inputs. */
export const inputKinds = ['text', 'select', 'multiselect', 'checkbox', 'number', 'slider', 'date'] as const;

/** `metadata.atoll.input` of an input cell; its source is the assignment that sets the variable. */
export const cellInput = z.object({
  kind: z.enum(inputKinds),
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Must be a name that code can use'),
  label: line(200).default(''),
  value: z.union([
    z.string().max(10_000),
    z.number(),
    z.boolean(),
    z.array(z.string().max(1_000)).max(1_000),
    z.null(),
  ]),
  options: z.array(z.string().max(1_000)).max(1_000).default([]),
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  step: z.number().positive().nullable().default(null),
  reruns: z.boolean().default(false).describe('Changing it runs what depends on it'),
});
export type CellInput = z.infer<typeof cellInput>;
export type InputValue = CellInput['value'];

/** What a cell is, without what it shows. */
export const documentCell = z.object({
  id: cellId,
  rank: z.string().describe('Cells are in the order of their ranks, compared as plain text'),
  type: cellType,
  source: z.string(),
  metadata: fields,
  attachments: fields.nullable().describe('Pictures in markdown, by name'),
  revision: z.int().describe('Counts the changes of this cell: the higher one is the newer one'),
});
export type DocumentCell = z.infer<typeof documentCell>;

/** The run of a cell that made what it shows. */
export const cellExecution = execution.omit({ cell: true }).extend({ user: personSummary.nullable() });
export type CellExecution = z.infer<typeof cellExecution>;

/** What a cell shows. */
export const cellShown = z.object({
  execution_count: z.int().nullable(),
  execution: cellExecution.nullable().describe('Null for what came with the file'),
  outputs: z.array(output).describe('From the first one on, as much as is sent at once'),
  outputs_total: z.int(),
  outputs_bytes: z.int().describe('Of all of them'),
});
export type CellShown = z.infer<typeof cellShown>;

/** More of what a cell shows. */
export const outputsPiece = cellShown
  .pick({ outputs: true, outputs_total: true, outputs_bytes: true })
  .extend({ from: z.int() });

export const notebookCell = documentCell.extend(cellShown.shape);

export const cellLock = z.object({ cell_id: cellId, user: personSummary, tag: z.string(), since: time });
export type CellLock = z.infer<typeof cellLock>;

/** A cell that waits or runs, in the order of the queue. */
export const queuedCell = z.object({
  id,
  cell_id: cellId,
  batch_id: id,
  state: z.enum(['waiting', 'running']),
  place: z.number().describe('What is smaller comes first'),
  user: personSummary.nullable(),
  queued_at: time,
  question: z
    .object({ prompt: z.string(), is_password: z.boolean() })
    .nullable()
    .describe('The code has asked for input and waits'),
});
export type QueuedCell = z.infer<typeof queuedCell>;

export const kernelStates = ['none', 'starting', 'idle', 'busy', 'ended'] as const;

/** The kernel of a notebook, or why there is none. */
export const notebookKernel = z.object({
  name: z.string().nullable().describe('`provider.name`; null: the usual one'),
  tier: z.enum(computeTiers),
  is_gpu: z.boolean(),
  state: z.enum(kernelStates),
  session_id: id.nullable(),
  starter: personSummary.nullable().describe('Whose execution time it uses'),
  started_at: time.nullable(),
  end_message: z.string().nullable().describe('Why the last one ended, in words'),
  features: z.array(z.string()).describe('What it can do beyond running code: dataframes, variables, subshells'),
});
export type NotebookKernel = z.infer<typeof notebookKernel>;

export const notebookHead = z.object({
  metadata: fields,
  revision: z.int(),
});
export type NotebookHead = z.infer<typeof notebookHead>;

export const notebookSettings = z.object({
  is_autorun_after_files_updated: z.boolean(),
  is_parallel_execution_enabled: z.boolean(),
});
export type NotebookSettings = z.infer<typeof notebookSettings>;

/** What stands beside the cells of a canvas; in the file it is in `metadata.atoll.canvas.items`. */
export const boardItem = z.object({
  id: cellId,
  fields: fields.nullable().describe('Null once it is deleted'),
  revision: z.int().describe('Counts the changes of this item: the higher one is the newer one'),
});
export type BoardItem = z.infer<typeof boardItem>;

/** What one may do in a notebook: `input` sets inputs and runs. */
export const notebookModes = ['view', 'input', 'edit'] as const;
export type NotebookMode = (typeof notebookModes)[number];

export const notebook = z.object({
  file_id: id,
  version: z.int().describe('Of the file, as it was saved last'),
  version_id: id,
  position: z.int().describe('Of the topic: what came after it is not in here'),
  mode: z.enum(notebookModes),
  language: z.string(),
  problems: z
    .array(z.string())
    .describe('What could not be read, in words; the file stays as it is until something is edited'),
  is_saved: z.boolean(),
  head: notebookHead,
  settings: notebookSettings,
  cells: z.array(notebookCell).describe('In order'),
  items: z.array(boardItem).describe('What stands beside the cells when it is shown as a canvas'),
  locks: z.array(cellLock),
  queue: z.array(queuedCell),
  kernel: notebookKernel,
});
export type Notebook = z.infer<typeof notebook>;

export const binnedCell = documentCell.extend({ deleted_at: time, deleted_by: personSummary.nullable() });
export type BinnedCell = z.infer<typeof binnedCell>;

export const variable = z.object({
  name: z.string(),
  type: z.string(),
  shape: z.string().nullable(),
  bytes: z.int().nullable(),
  preview: z.string(),
  is_table: z.boolean().describe('Can be opened as a table'),
});
export type Variable = z.infer<typeof variable>;

export const frameColumn = z.object({ name: z.string(), type: z.string() });

/** `application/vnd.atoll.dataframe+json`: a table that stays in the kernel, and its first rows. */
export const framePage = z.object({
  frame_id: z.string(),
  columns: z.array(frameColumn).describe('From the first one on, 200 at most'),
  columns_total: z.int().optional().describe('Left out for older outputs'),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  offset: z.int(),
  total: z.int().describe('Rows that match'),
  all: z.int().describe('Rows there are'),
});
export type FramePage = z.infer<typeof framePage>;
