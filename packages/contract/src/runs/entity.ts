import { z } from 'zod';
import { id, time } from '../fields.ts';
import { execution, output } from '../kernels/entity.ts';
import { computeTiers } from '../plans.ts';
import { personSummary } from '../projects/entity.ts';

/** The spec's names of what the backend calls in progress, ok, error and aborted. */
export const runStatuses = ['running', 'succeeded', 'failed', 'aborted'] as const;
export const runTypes = ['manual', 'scheduled', 'publication', 'api'] as const;
export const runModes = ['last_ok', 'scheduled', 'latest'] as const;

/** By name; a notebook gets them as a cell of its own, as papermill writes it. */
export const runParameters = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'Must be the name of a variable'),
    z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]),
  )
  .refine((values) => Object.keys(values).length <= 100, 'At most 100 parameters');
export type RunParameters = z.infer<typeof runParameters>;

/** The spec's Execution run: a file, run from its start to its end without anybody at it. */
export const run = z.object({
  id,
  number: z.int(),
  starter: personSummary.nullable(),
  started_at: time,
  ended_at: time.nullable(),
  type: z.enum(runTypes),
  environment: z.object({ kernel: z.string(), tier: z.enum(computeTiers) }),
  version: z.object({ id, number: z.int() }).nullable().describe('Of the file, as it was when the run began'),
  file: z.object({ id, name: z.string() }).nullable(),
  parameters: runParameters.describe('Values that were set for this run'),
  status: z.enum(runStatuses),
  error_reason: z.string().nullable(),
  cells_done: z.int(),
  cells_total: z.int().nullable().describe('Null until the file has been read'),
  execution_seconds: z.number(),
  notices: z.array(z.string()).describe('Notices, such as files that were too large to be saved'),
  has_result: z.boolean().describe('Whether the file with its outputs can be downloaded'),
});
export type Run = z.infer<typeof run>;

export const runExecution = execution.extend({ outputs: z.array(output) });
export type RunExecution = z.infer<typeof runExecution>;

export const runDetail = run.extend({ executions: z.array(runExecution) });
export type RunDetail = z.infer<typeof runDetail>;
