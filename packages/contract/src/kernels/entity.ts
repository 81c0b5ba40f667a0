import { z } from 'zod';
import { id, line, time } from '../fields.ts';
import { computeTiers } from '../plans.ts';

/** `provider.name`, such as `local.python3`. */
export const kernelName = line(120).regex(/^[a-z]+\.[A-Za-z0-9._-]+$/, 'Must be one of the kernels there are');

export const kernel = z.object({
  name: z.string(),
  display_name: z.string(),
  language: z.string(),
  provider: z.enum(['local', 'pyodide', 'gateway', 'fake']),
  isolation: z
    .enum(['sandbox', 'webassembly', 'none', 'remote'])
    .describe('How code is isolated: a sandbox, WebAssembly, not at all, or on another machine'),
  is_default: z.boolean().describe('The default'),
});
export type KernelInfo = z.infer<typeof kernel>;

/** The Python environment that the server makes by itself where the machine has none. */
export const pythonEnvironment = z.object({
  state: z.enum(['ready', 'preparing', 'failed', 'absent']),
  progress: z.number().nullable(),
  message: z.string().nullable(),
});

export const kernelNotice = z.object({
  text: z.string(),
  is_warning: z.boolean().describe('Whether it is about safety'),
});
export type KernelNotice = z.infer<typeof kernelNotice>;

export const ramTier = z.object({
  tier: z.enum(computeTiers),
  cpu_cores: z.number(),
  memory: z.int().describe('Bytes'),
  is_available: z.boolean(),
  is_default: z.boolean(),
});

/** The spec's Server usage stat: a kernel that runs or ran, or (type execution) one piece of work in it. */
export const serverUsage = z.object({
  id,
  type: z.enum(['server', 'execution']),
  server_name: z.string(),
  state: z.enum(['starting', 'idle', 'busy', 'ended']),
  started_at: time,
  stopped_at: time.nullable(),
  stop_reason: z.string().nullable().describe('In words, once it has stopped'),
  gpu: z.boolean(),
  memory: z.int().describe('Bytes it may use'),
  memory_used: z.int().nullable().describe('Bytes it uses now'),
  cpu_cores: z.number(),
  tier: z.enum(computeTiers),
  disk_space: z.int().describe('Bytes it may use'),
  cost: z.int().describe('Units: what it took of execution time that was bought; the time of the plan is paid with it'),
  execution_type: z.string(),
  execution_seconds: z.number(),
  kernel: z.string(),
  project: z.object({ id, name: z.string() }).nullable(),
  file: z.object({ id, name: z.string() }).nullable(),
  execution_batch_id: id.nullable(),
  executions_count: z.int().nullable(),
  server_stat_id: id.nullable(),
});
export type ServerUsage = z.infer<typeof serverUsage>;

const used = { seconds: z.number(), cost: z.int().describe('Units'), count: z.int().describe('Servers started') };

export const usageSummary = z.object({
  total: z.object(used),
  days: z.array(z.object({ date: z.iso.date(), ...used })).describe('Every day of the time asked for, in UTC'),
  tiers: z.array(z.object({ tier: z.enum(computeTiers), ...used })),
  projects: z
    .array(z.object({ project: z.object({ id, name: z.string() }).nullable(), ...used }))
    .describe('Those that used most; null is what was deleted'),
});
export type UsageSummary = z.infer<typeof usageSummary>;

/** What a cell shows, as nbformat 4 has it. */
export const output = z.discriminatedUnion('output_type', [
  z.object({ output_type: z.literal('stream'), name: z.enum(['stdout', 'stderr']), text: z.string() }),
  z.object({
    output_type: z.literal('display_data'),
    data: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
  }),
  z.object({
    output_type: z.literal('execute_result'),
    data: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
    execution_count: z.int().nullable(),
  }),
  z.object({
    output_type: z.literal('error'),
    ename: z.string(),
    evalue: z.string(),
    traceback: z.array(z.string()),
  }),
]);
export type CellOutput = z.infer<typeof output>;

export const outputChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('clear') }),
  z.object({
    type: z.literal('append'),
    index: z.int(),
    at: z.int().describe('How long the text was before: who has more already knows this'),
    text: z.string(),
  }),
  z.object({ type: z.literal('set'), index: z.int(), output, display_id: z.string().nullable() }),
  z
    .object({ type: z.literal('more'), outputs_total: z.int(), outputs_bytes: z.int() })
    .describe('Too large to be sent: request it'),
]);
export type CellOutputChange = z.infer<typeof outputChange>;

export const executionStates = ['waiting', 'running', 'ok', 'error', 'aborted'] as const;

/** One piece of code that ran, or is running. */
export const execution = z.object({
  id,
  cell: z.string().nullable().describe('Which cell of the file, by its id or place'),
  state: z.enum(executionStates),
  execution_count: z.int().nullable(),
  reason: z.string().nullable().describe('Why it did not come to its own end, in words'),
  started_at: time,
  ended_at: time.nullable(),
  milliseconds: z.int().nullable(),
});
export type Execution = z.infer<typeof execution>;
