import type { AiModelSettings, AiPrice } from '@atoll/contract';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { aiPrices } from '../table.ts';
import { type Provider, providersFor } from './providers.ts';
import { requireProvider, updateProvider } from './stored-providers.ts';

const priceView = ({ key, name: provider, source }: Provider, { name, ...cost }: AiModelSettings): AiPrice => ({
  ...{ model: `${key}/${name}`, name, provider, source },
  ...cost,
});

/** Of all models for everyone, in one list, wherever they were set up. */
export async function listPrices(ctx: Context): Promise<AiPrice[]> {
  const common = (await providersFor(ctx)).filter(({ source }) => source !== 'person');
  return common.flatMap((provider) => provider.models.map((model) => priceView(provider, model)));
}

export async function setPrice(ctx: Context, { model, ...cost }: Omit<AiModelSettings, 'name'> & { model: string }) {
  const before = (await listPrices(ctx)).find((each) => each.model === model);
  if (!before) throw notFound('This model');
  const after: AiPrice = { ...before, ...cost };
  if (before.source === 'admin') {
    const id = model.slice(0, model.indexOf('/'));
    const row = await requireProvider(ctx, ctx.db, id);
    const models = row.models.map((each) => (each.name === before.name ? { name: each.name, ...cost } : each));
    await updateProvider(ctx, id, { models });
    return after;
  }
  const values = {
    ...{ inputUnits: cost.units_per_million_input, outputUnits: cost.units_per_million_output },
    contextTokens: cost.context_tokens,
  };
  await ctx.write(async (write) => {
    await write.tx
      .insert(aiPrices)
      .values({ model, ...values })
      .onConflictDoUpdate({ target: aiPrices.model, set: values });
    await write.emit('ai_price.changed', { model });
    const subject = { type: 'ai_model', id: model };
    await recordAction(ctx, write, { action: 'ai_price.changed', subject, before, after });
  });
  return after;
}
