import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, id, line, text } from '../fields.ts';
import { publicationFilters } from '../publications/endpoints.ts';
import {
  aiCheck,
  aiModel,
  aiPrice,
  aiProvider,
  aiProviderUpdate,
  aiUsage,
  newAiPrice,
  newAiProvider,
} from './entity.ts';

const tag = 'AI';
const flag = 'ai' as const;
const uses = { permission: 'ai.use', tag, flag, limit: 'write', keyScope: 'write' } as const;

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), text: z.string() }),
  z.object({ type: z.literal('done'), usage: aiUsage }),
]);
export type AiPart = z.infer<typeof part>;
const isStream = (value: unknown): value is AsyncIteratorObject<AiPart, void, void> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
/** Server-sent events of `text`, `thinking` and `done` where `stream` was asked for. */
const answered = <Shape extends z.ZodObject>(plain: Shape) =>
  z.union([z.custom<AsyncIteratorObject<AiPart, void, void>>(isStream), plain]);

const request = {
  prompt: text(100_000).min(1),
  model: line(200).optional().describe('provider/model; the first there is by default'),
  stream: z.boolean().default(false),
};
const code = z.object({ code: z.string(), explanation: z.string(), usage: aiUsage });
const tables = z
  .array(
    z.strictObject({
      name: line(200),
      columns: z.array(z.strictObject({ name: line(500), type: line(200) })).max(500),
    }),
  )
  .max(200)
  .default([])
  .describe('What can be asked for: names and types, no rows');

export const aiEndpoints = {
  generate: endpoint('POST', '/v1/ai/generate', { ...uses, summary: 'Text from a sentence' })
    .input(z.strictObject({ ...request, context: text(400_000).default('') }))
    .output(answered(z.object({ text: z.string(), usage: aiUsage }))),

  cell: endpoint('POST', '/v1/ai/cell', {
    ...uses,
    summary: 'Code for a cell: new, changed, explained or mended',
  })
    .input(
      z.strictObject({
        ...request,
        prompt: text(100_000).default(''),
        action: z.enum(['generate', 'change', 'explain', 'fix']).default('generate'),
        language: line(40).default('python'),
        source: text(400_000).default(''),
        error: text(100_000).default('').describe('The traceback, to fix it'),
        before: z.array(text(100_000)).max(200).default([]).describe('The cells above'),
      }),
    )
    .output(answered(code)),

  sql: endpoint('POST', '/v1/ai/sql', { ...uses, summary: 'A query from a sentence' })
    .input(z.strictObject({ ...request, source: text(400_000).default(''), error: text(100_000).default(''), tables }))
    .output(answered(code)),

  chart: endpoint('POST', '/v1/ai/chart', { ...uses, summary: 'Code of a chart from a table and a sentence' })
    .input(z.strictObject({ ...request, table: line(200), tables }))
    .output(answered(code)),

  notebook: endpoint('POST', '/v1/ai/notebook', { ...uses, summary: 'The cells of a notebook from a sentence' })
    .input(z.strictObject(request))
    .output(
      answered(
        z.object({
          title: z.string(),
          cells: z.array(z.object({ type: z.enum(['code', 'markdown']), source: z.string() })),
          usage: aiUsage,
        }),
      ),
    ),

  publicationsQuery: endpoint('POST', '/v1/ai/publications-query', {
    ...uses,
    summary: 'What to search publications for, from a sentence; without a model the sentence itself',
  })
    .input(z.strictObject({ prompt: line(1_000).min(1), model: request.model }))
    .output(publicationFilters),

  models: endpoint('GET', '/v1/ai/models', { permission: 'ai.use', tag, flag, summary: 'The models I can use' })
    .input(z.strictObject({}))
    .output(z.object({ entries: z.array(aiModel), missing: z.string().nullable().describe('Why there are none') })),

  listPrices: endpoint('GET', '/v1/ai/prices', {
    permission: 'ai.price',
    tag,
    summary: 'What the models for everyone cost, those of the operator too',
  })
    .input(z.strictObject({}))
    .output(z.object({ entries: z.array(aiPrice) })),

  setPrice: endpoint('PUT', '/v1/ai/prices', {
    permission: 'ai.price',
    tag,
    keyScope: 'never',
    summary: 'Set what a model costs',
  })
    .input(newAiPrice)
    .output(aiPrice),

  listProviders: endpoint('GET', '/v1/ai/providers', {
    permission: 'ai.configure',
    tag,
    flag,
    summary: 'Providers of models that I set up, and those for everyone',
  })
    .input(z.strictObject({}))
    .output(z.object({ entries: z.array(aiProvider) })),

  createProvider: endpoint('POST', '/v1/ai/providers', {
    permission: 'ai.configure',
    tag,
    flag,
    keyScope: 'never',
    summary: 'Set up a provider of models',
  })
    .input(newAiProvider)
    .output(aiProvider),

  updateProvider: endpoint('PATCH', '/v1/ai/providers/{id}', {
    permission: 'ai.configure',
    tag,
    flag,
    keyScope: 'never',
    summary: 'Change a provider of models',
  })
    .input(aiProviderUpdate.extend({ id }))
    .output(aiProvider),

  deleteProvider: endpoint('DELETE', '/v1/ai/providers/{id}', {
    permission: 'ai.configure',
    tag,
    flag,
    keyScope: 'never',
    summary: 'Delete a provider of models with its key',
  })
    .input(z.strictObject({ id }))
    .output(done),

  checkProvider: endpoint('POST', '/v1/ai/providers/{id}/check', {
    permission: 'ai.configure',
    tag,
    flag,
    summary: 'Whether the key and a model work',
  })
    .input(z.strictObject({ id, model: line(120).optional() }))
    .output(aiCheck),
};
