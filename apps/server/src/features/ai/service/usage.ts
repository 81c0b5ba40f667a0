import { BudgetExceeded } from '@atoll/agent';
import type { AiUsage } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { users } from '../../users/table.ts';
import { moveUnits } from '../../wallet/service/units.ts';
import { aiUsage } from '../table.ts';
import type { ChosenModel } from './providers.ts';

const dayOf = (ctx: Context): string => ctx.now().toISOString().slice(0, 10);

/** Refuses a call that the person could not pay for, or in a conversation that has cost too much. Who uses a key of their own pays elsewhere. */
export async function requireBudget(ctx: Context, { isPaid }: ChosenModel, spent = 0): Promise<void> {
  if (!isPaid) return;
  const { dailyUnits, conversationUnits } = ctx.config.ai;
  if (spent >= conversationUnits)
    throw new BudgetExceeded(
      `This conversation has cost ${conversationUnits} units, as many as one can. Begin a new one.`,
    );
  const { userId } = ctx;
  const [today] = await ctx.db
    .select({ units: sql<number>`coalesce(sum(${aiUsage.units}), 0)::float8` })
    .from(aiUsage)
    .where(and(eq(aiUsage.userId, userId), eq(aiUsage.day, dayOf(ctx))));
  if ((today?.units ?? 0) >= dailyUnits)
    throw new BudgetExceeded(`You have used the ${dailyUnits} units that one person can spend on models in a day.`);
  const [user] = await ctx.db.select({ balance: users.balance }).from(users).where(eq(users.id, userId));
  if (!user || user.balance <= 0)
    throw new BudgetExceeded('Your wallet has no units left for this model. Buy some, or choose a model that is free.');
}

/** The same for a request, which is answered with a refusal. */
export async function requireBudgetOfRequest(ctx: Context, chosen: ChosenModel): Promise<void> {
  try {
    await requireBudget(ctx, chosen);
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    throw new AppError('forbidden', error.message, { details: { reason: 'usage_limit_reached' } });
  }
}

/** Counts a call; what it costs is taken from the wallet, rounded up once for each conversation and day. */
export async function meter(
  ctx: Context,
  { isPaid, settings, id: model }: ChosenModel,
  scopeId: string | null,
  tokens: { input: number; output: number },
): Promise<AiUsage> {
  const { userId } = ctx;
  const cost = tokens.input * settings.units_per_million_input + tokens.output * settings.units_per_million_output;
  const units = isPaid ? cost / 1_000_000 : 0;
  await ctx.write(async (write) => {
    const where = { userId, day: dayOf(ctx), scopeId: scopeId ?? userId };
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
    const [user] = await write.tx
      .select({ balance: users.balance })
      .from(users)
      .where(eq(users.id, userId))
      .for('update');
    // The call is made: what the wallet does not hold is the operator's loss, never a debt.
    const amount = Math.min(due, user?.balance ?? 0);
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
