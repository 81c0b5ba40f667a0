import { z } from 'zod';
import { id, line, text, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { aiEventKinds, aiProviderKinds, aiStopReasons, revertModes, toolPolicies } from './values.ts';

const units = z.number().min(0).max(1_000_000);

/** What a provider's model is called and costs. */
export const aiModelSettings = z.strictObject({
  name: line(120).min(1).describe('As the provider calls it'),
  units_per_million_input: units.default(0).describe('Units for a million tokens that are read'),
  units_per_million_output: units.default(0).describe('Units for a million tokens that are written'),
  context_tokens: z.int().min(1_000).max(10_000_000).default(128_000),
});
export type AiModelSettings = z.infer<typeof aiModelSettings>;

const providerFields = {
  kind: z.enum(aiProviderKinds),
  name: line(60).min(1),
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullable()
    .default(null)
    .describe('Of an OpenAI-compatible server; else the usual one'),
  models: z.array(aiModelSettings).min(1).max(50),
  is_enabled: z.boolean().default(true),
};
export const newAiProvider = z.strictObject({
  ...providerFields,
  api_key: text(2_000).optional().describe('Stored sealed and never shown again'),
  is_for_everyone: z.boolean().default(false).describe('Of the installation; set by admins'),
});
export const aiProviderUpdate = z.strictObject({
  name: providerFields.name.optional(),
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullable()
    .optional(),
  models: providerFields.models.optional(),
  is_enabled: z.boolean().optional(),
  api_key: text(2_000).optional(),
});

export const aiProvider = z.object({
  id,
  kind: z.enum(aiProviderKinds),
  name: z.string(),
  base_url: z.string().nullable(),
  models: z.array(aiModelSettings),
  is_enabled: z.boolean(),
  is_for_everyone: z.boolean(),
  has_key: z.boolean(),
  source: z.enum(['operator', 'admin', 'person', 'local']).describe('Who set it up; local: found on this machine'),
  permissions: z.array(z.string()),
});
export type AiProvider = z.infer<typeof aiProvider>;

/** One that can be chosen. */
export const aiModel = z.object({
  id: z.string().describe('provider/model'),
  name: z.string(),
  provider: z.string(),
  source: aiProvider.shape.source,
  is_paid: z.boolean().describe('Taken from your units'),
});
export type AiModel = z.infer<typeof aiModel>;

/** The price of one of the models for everyone. */
export const newAiPrice = aiModelSettings.omit({ name: true }).extend({ model: line(200).describe('provider/model') });
export const aiPrice = aiModel.pick({ name: true, provider: true, source: true }).extend(newAiPrice.shape);
export type AiPrice = z.infer<typeof aiPrice>;

export const aiCheck = z.object({ is_ok: z.boolean(), message: z.string(), milliseconds: z.int() });

export const aiUsage = z.object({ input_tokens: z.int(), output_tokens: z.int(), units: z.number() });
export type AiUsage = z.infer<typeof aiUsage>;

/** What one answer of the model wants done. */
export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Of the provider, given back to it'),
  title: z.string().describe('What will happen, in a line'),
  preview: z.string().nullable().describe('The code or text it is about'),
  problem: z.string().nullable().describe('Why it cannot be done'),
  policy: z.enum(toolPolicies),
});
export type ToolCall = z.infer<typeof toolCall>;

export const turnCounters = z.object({
  rounds: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  units: z.number(),
  milliseconds: z.int(),
});
export type TurnCounters = z.infer<typeof turnCounters>;

const outcomes = ['ok', 'error', 'rejected', 'interrupted'] as const;

/** By kind; `seq` counts from 1 without gaps. */
export const aiEventPayloads = {
  init: z.object({ model: z.string().nullable() }),
  message_sent: z.object({ text: z.string(), snapshot: z.int().nullable(), is_continue: z.boolean() }),
  thinking: z.object({ text: z.string() }),
  message_with_tools: z.object({ text: z.string(), calls: z.array(toolCall), usage: aiUsage }),
  tool_execution_start: z.object({
    call_id: z.string(),
    name: z.string(),
    is_begun: z.boolean().describe('False: a person has approved it, and it is about to begin'),
  }),
  tool_execution_completed: z.object({
    call_id: z.string(),
    name: z.string(),
    outcome: z.enum(outcomes),
    result: z.string(),
  }),
  final_message: z.object({
    text: z.string(),
    stop_reason: z.enum(aiStopReasons).nullable(),
    message: z.string().nullable().describe('Why it ended, in a sentence'),
    counters: turnCounters,
    usage: aiUsage.nullable(),
    snapshot: z.int().nullable(),
  }),
  setup_notebook_ready: z.object({ file_id: id }),
  error: z.object({ code: z.string(), message: z.string() }),
  configuration_update: z.object({ model: z.string().nullable() }),
  reverted_to_snapshot: z.object({
    snapshot: z.int(),
    mode: z.enum(revertModes),
    to_seq: z.int().describe('The message that was taken back, with all that followed'),
    paths: z.array(z.string()),
  }),
} satisfies Record<(typeof aiEventKinds)[number], z.ZodObject>;

type Payloads = { [Kind in keyof typeof aiEventPayloads]: z.infer<(typeof aiEventPayloads)[Kind]> };
export type NewAiEvent = { [Kind in keyof Payloads]: { kind: Kind; payload: Payloads[Kind] } }[keyof Payloads];
export type AiEvent = NewAiEvent & {
  seq: number;
  created_at: string;
  user: z.infer<typeof personSummary> | null;
};

export const aiEvent = z.object({
  seq: z.int(),
  kind: z.enum(aiEventKinds),
  payload: z.record(z.string(), z.unknown()),
  created_at: time,
  user: personSummary.nullable(),
});

/** The answer that is being written. */
export const aiStreaming = z.object({ after_seq: z.int(), text: z.string(), thinking: z.string() });

export const aiConfiguration = z.object({
  model: z.string().nullable().describe('Null: the first there is'),
  policies: z.record(z.string(), z.enum(toolPolicies)).describe('Your own, for your turns'),
});
export type AiConfiguration = z.infer<typeof aiConfiguration>;

export const aiTool = z.object({
  name: z.string(),
  title: z.string(),
  policy: z.enum(toolPolicies),
  is_changing: z.boolean(),
});

export const aiConversation = z.object({
  id,
  state: z.enum(['idle', 'running', 'waiting_for_approval']),
  configuration: aiConfiguration,
  tools: z.array(aiTool),
  events: z.array(aiEvent),
  is_whole: z.boolean().describe('Whether these are all events; else the newest'),
  streaming: aiStreaming.nullable(),
  units: z.number().describe('That it has cost so far'),
});
export type AiConversation = z.infer<typeof aiConversation>;

/** What a revert would do to a file. */
export const revertedFile = z.object({
  file_id: id,
  path: z.string(),
  change: z.enum(['restored', 'deleted', 'created', 'moved']),
  changed_by: personSummary.nullable(),
  is_later: z.boolean().describe('Changed since by someone else than the assistant: left alone unless it is named'),
});
export type RevertedFile = z.infer<typeof revertedFile>;
