import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { preparedStatement } from '../db/prepared-statement.ts';
import { appliedCommands } from './table.ts';

const noting = preparedStatement(sql`insert into applied_commands (actor_id, request_id, reply, created_at)
  values (${sql.placeholder('actorId')}, ${sql.placeholder('requestId')}, ${sql.placeholder('reply')}, ${sql.placeholder('at')})`);

type Reply = Record<string, unknown>;

/**
 * Does a command in one transaction with the note that it was done. A client that lost the connection before the answer
 * sends it again: whatever the second try runs into, the first try's note undoes it and gives the first answer.
 */
export async function applyOnce(
  ctx: Context,
  requestId: string,
  work: (ctx: Context) => Promise<Reply>,
): Promise<Reply> {
  const actorId = ctx.actor.userId ?? '';
  try {
    return await ctx.write(async (write) => {
      const reply = await work(ctx.within(write));
      const note = { actorId, requestId, reply: JSON.stringify(reply), at: ctx.now().toISOString() };
      write.last(() => write.tx.execute(noting(note)).execute());
      return reply;
    });
  } catch (error) {
    const [applied] = await ctx.db
      .select({ reply: appliedCommands.reply })
      .from(appliedCommands)
      .where(and(eq(appliedCommands.actorId, actorId), eq(appliedCommands.requestId, requestId)));
    if (!applied) throw error;
    ctx.pending = null;
    return applied.reply;
  }
}
