import type { AiPart } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { done, endpoints } from '../../platform/http/implement.ts';
import {
  cellPrompt,
  cellsIn,
  chartPrompt,
  codeIn,
  notebookPrompt,
  publicationsQuery,
  sqlPrompt,
  streamed,
  whole,
} from './service/generate.ts';
import { listPrices, setPrice } from './service/prices.ts';
import { checkProvider, listModels, noModel } from './service/providers.ts';
import { createProvider, deleteProvider, listProviders, updateProvider } from './service/stored-providers.ts';
import { providerView } from './view.ts';

const { ai } = endpoints;

interface Asked {
  instructions: string;
  prompt: string;
}

/** As a stream of parts, or all at once. */
async function answered<Plain extends object>(
  ctx: Context,
  { model, stream }: { model?: string | undefined; stream: boolean },
  asked: Asked,
  read: (text: string) => Plain,
) {
  const request = { ...asked, model };
  if (stream) return (await streamed(ctx, request)) as AsyncIteratorObject<AiPart, void, void>;
  const { text, usage } = await whole(ctx, request);
  return { ...read(text), usage };
}

export const aiRoutes = {
  generate: ai.generate.handler(async ({ context, input }) => {
    const prompt = input.context ? `${input.prompt}\n\n${input.context}` : input.prompt;
    const instructions = 'Help the person with what they ask. Write Markdown.';
    return answered(context, input, { instructions, prompt }, (text) => ({ text }));
  }),
  cell: ai.cell.handler(async ({ context, input }) =>
    answered(context, input, cellPrompt(input), (text) =>
      input.action === 'explain' ? { code: '', explanation: text } : codeIn(text),
    ),
  ),
  sql: ai.sql.handler(async ({ context, input }) => answered(context, input, sqlPrompt(input), codeIn)),
  chart: ai.chart.handler(async ({ context, input }) => answered(context, input, chartPrompt(input), codeIn)),
  notebook: ai.notebook.handler(async ({ context, input }) => answered(context, input, notebookPrompt(input), cellsIn)),
  publicationsQuery: ai.publicationsQuery.handler(async ({ context, input }) =>
    publicationsQuery(context, input.prompt, input.model),
  ),
  models: ai.models.handler(async ({ context }) => {
    const entries = await listModels(context);
    return { entries, missing: entries.length === 0 ? noModel : null };
  }),
  listPrices: ai.listPrices.handler(async ({ context }) => ({ entries: await listPrices(context) })),
  setPrice: ai.setPrice.handler(async ({ context, input }) => setPrice(context, input)),
  listProviders: ai.listProviders.handler(async ({ context }) => ({
    entries: (await listProviders(context)).map((row) => providerView(context, row)),
  })),
  createProvider: ai.createProvider.handler(async ({ context, input }) =>
    providerView(context, await createProvider(context, input)),
  ),
  updateProvider: ai.updateProvider.handler(async ({ context, input: { id, ...fields } }) =>
    providerView(context, await updateProvider(context, id, fields)),
  ),
  deleteProvider: ai.deleteProvider.handler(({ context, input }) => done(deleteProvider(context, input.id))),
  checkProvider: ai.checkProvider.handler(async ({ context, input }) => checkProvider(context, input.id, input.model)),
};
