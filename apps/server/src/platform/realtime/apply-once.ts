import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { appliedCommands } from './table.ts';

type Reply = Record<string, unknown>;

/**
 * Does a command in one transaction with the note that it was done. A client that lost the connection before the answer
 * sends it again and gets the first answer.
 */
export async function applyOnce(
  ctx: Context,
  requestId: string,
  work: (ctx: Context) => Promise<Reply>,
): Promise<Reply> {
  const actorId = ctx.actor.userId ?? '';
  return ctx.write(async (write) => {
    const { tx } = write;
    const noted = await tx
      .insert(appliedCommands)
      .values({ actorId, requestId, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ requestId: appliedCommands.requestId });
    const isThisOne = and(eq(appliedCommands.actorId, actorId), eq(appliedCommands.requestId, requestId));
    if (noted.length === 0) {
      ctx.pending = null;
      const [applied] = await tx.select().from(appliedCommands).where(isThisOne);
      return applied?.reply ?? {};
    }
    // Whatever the services write belongs to this transaction.
    const joined: Context = Object.create(ctx, {
      db: { value: tx },
      write: { value: (part: Parameters<Context['write']>[0]) => part(write) },
    });
    const reply = await work(joined);
    await tx.update(appliedCommands).set({ reply }).where(isThisOne);
    return reply;
  });
}
