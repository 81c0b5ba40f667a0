import { BudgetExceeded, type Model, type ModelRequest } from '@atoll/agent';
import type { AiUsage } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  insertReservation,
  lockForReservation,
  lockWallet,
  releaseReservation,
} from '../../wallet/service/reservations.ts';
import { inWords, moveUnits } from '../../wallet/service/units.ts';
import { aiUsage } from '../table.ts';
import type { ChosenModel } from './providers.ts';

const dayOf = (ctx: Context): string => ctx.now().toISOString().slice(0, 10);

/** What providers add to a request, such as how tools are called. */
const addedTokens = 500;
const mostOutputTokens = 16_384;
/** Against what sums of fractions lose. */
const tiny = 1e-6;

/** One answer of a model, which is paid for as a whole. */
export interface ModelUse {
  /** Of its reservation; the next answer of a conversation replaces the one before. */
  id: string;
  /** Null: outside of a conversation. */
  conversationId: string | null;
  /** Units, in the conversation so far. */
  spent: number;
  /** How long it can take; a reservation that is older was left by a server that is gone. */
  milliseconds: number;
}

async function unitsOfToday(ctx: Context, { tx }: Write): Promise<number> {
  const [today] = await tx
    .select({ units: sql<number>`coalesce(sum(${aiUsage.units}), 0)::float8` })
    .from(aiUsage)
    .where(and(eq(aiUsage.userId, ctx.userId), eq(aiUsage.day, dayOf(ctx))));
  return today?.units ?? 0;
}

/**
 * Reserves what an answer can cost at most, so that calls at the same time never spend the same units, and answers how many
 * tokens it may have. What a person pays elsewhere, with a key of their own, is not limited.
 */
export async function reserveAnswer(
  ctx: Context,
  { isPaid, settings }: ChosenModel,
  request: ModelRequest,
  { id, spent, milliseconds }: ModelUse,
): Promise<number | undefined> {
  if (!isPaid) return undefined;
  const { userId } = ctx;
  const { dailyUnits, conversationUnits } = ctx.config.ai;
  return ctx.write(async (write) => {
    const { balance, reserved } = await lockForReservation(ctx, write, { userId, id });
    const limits = [
      {
        ...{ left: balance - reserved, where: 'in your wallet' },
        used: 'Your wallet has no units left for this model. Buy some, or choose a model that is free.',
      },
      {
        ...{ left: dailyUnits - reserved - (await unitsOfToday(ctx, write)), where: 'for models today' },
        used: `You have used the ${dailyUnits} units that one person can spend on models in a day.`,
      },
      {
        ...{ left: conversationUnits - spent, where: 'for this conversation' },
        used: `This conversation has cost ${conversationUnits} units, as many as one can. Begin a new one.`,
      },
    ];
    const { left, where, used } = limits.reduce((least, each) => (each.left < least.left ? each : least));
    if (left <= 0 && reserved === 0) throw new BudgetExceeded(used);
    // No token is shorter than a byte.
    const inputTokens = Math.min(Buffer.byteLength(JSON.stringify(request)) + addedTokens, settings.context_tokens);
    const input = (inputTokens * settings.units_per_million_input) / 1_000_000;
    const perToken = settings.units_per_million_output / 1_000_000;
    const most = Math.min(mostOutputTokens, Math.floor(settings.context_tokens / 4));
    const output = perToken > 0 ? Math.min(most, Math.floor((left - input) / perToken + tiny)) : most;
    const units = Math.ceil(input + output * perToken - tiny);
    if (output < 1 || input > left) {
      const others = reserved > 0 ? ` ${inWords(reserved)} reserved for other answers in progress: wait for them.` : '';
      throw new BudgetExceeded(`Too few units are left ${where} for an answer of this model.${others}`);
    }
    const expiresAt = new Date(ctx.now().getTime() + milliseconds);
    if (units > 0) await insertReservation(write, { id, userId, units, expiresAt });
    return output;
  });
}

/** The same for a request, which is answered with a refusal. */
export async function reserveAnswerOfRequest(...asked: Parameters<typeof reserveAnswer>): Promise<number | undefined> {
  try {
    return await reserveAnswer(...asked);
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    throw new AppError('forbidden', error.message, { details: { reason: 'usage_limit_reached' } });
  }
}

/** An answer that failed costs nothing. */
export const releaseAnswer = (ctx: Context, { id }: ModelUse): Promise<void> =>
  ctx.write((write) => releaseReservation(write, { userId: ctx.userId, id }));

const cutNotice = '\n\n(The answer ends here: your units, or the limits of one answer, pay for no more of it.)';

/** The same model, asked only while it can be paid for. */
export const paidModel = (ctx: Context, chosen: ChosenModel, model: Model, use: () => ModelUse): Model => ({
  stream: async function* (request, signal) {
    const answer = use();
    const maxOutputTokens = await reserveAnswer(ctx, chosen, request, answer);
    try {
      for await (const part of model.stream({ ...request, maxOutputTokens }, signal)) {
        if (part.type === 'end' && part.isCut && chosen.isPaid) yield { type: 'text', text: cutNotice };
        yield part;
      }
    } catch (error) {
      // A turn that was stopped pays for what was written.
      if (!signal.aborted) await releaseAnswer(ctx, answer);
      throw error;
    }
  },
});

/** Counts an answer and releases its reservation; what it costs is taken from the wallet, rounded up once for each conversation and day. */
export async function meter(
  ctx: Context,
  { isPaid, settings, id: model }: ChosenModel,
  { id, conversationId }: ModelUse,
  tokens: { input: number; output: number },
): Promise<AiUsage> {
  const { userId } = ctx;
  const cost = tokens.input * settings.units_per_million_input + tokens.output * settings.units_per_million_output;
  const units = isPaid ? cost / 1_000_000 : 0;
  await ctx.write(async (write) => {
    // Before its own rows, as a reservation does, to avoid deadlocks.
    if (isPaid) await releaseReservation(write, { userId, id });
    const where = { userId, day: dayOf(ctx), scopeId: conversationId ?? userId };
    const [row] = await write.tx
      .insert(aiUsage)
      .values({ ...where, inputTokens: tokens.input, outputTokens: tokens.output, units, chargedUnits: 0 })
      .onConflictDoUpdate({
        target: [aiUsage.userId, aiUsage.day, aiUsage.scopeId],
        set: {
          inputTokens: sql`${aiUsage.inputTokens} + excluded.input_tokens`,
          outputTokens: sql`${aiUsage.outputTokens} + excluded.output_tokens`,
          units: sql`${aiUsage.units} + excluded.units`,
        },
      })
      .returning();
    if (!row) throw new Error('The use of a model was not stored');
    const due = Math.ceil(row.units - 1e-9) - row.chargedUnits;
    if (due <= 0) return;
    const { balance, reserved } = await lockWallet(write, userId);
    // The call is made: what the wallet does not hold is the operator's loss, never a debt.
    const amount = Math.min(due, balance - reserved);
    if (amount > 0) {
      const key = `ai:${userId}:${row.day}:${row.scopeId}:${row.chargedUnits}`;
      await moveUnits(ctx, write, {
        userId,
        amount: -amount,
        kind: 'service_usage',
        key,
        note: `AI: ${model}`.slice(0, 200),
      });
    }
    await write.tx
      .update(aiUsage)
      .set({ chargedUnits: row.chargedUnits + due })
      .where(and(eq(aiUsage.userId, userId), eq(aiUsage.day, row.day), eq(aiUsage.scopeId, row.scopeId)));
  });
  return { input_tokens: tokens.input, output_tokens: tokens.output, units };
}
