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
  const actorId = ctx.userId;
  try {
    return await ctx.write(async (write) => {
      const reply = await work(ctx.within(write));
      const note = { actorId, requestId, reply: JSON.stringify(reply), at: ctx.now().toISOString() };
      write.last(() => write.tx.execute(noting(note)).execute());
      return reply;
    });
  } catch (error) {
    const reply = await findReply(ctx, requestId);
    if (!reply) throw error;
    ctx.pendingRowCheck = null;
    return reply;
  }
}

const isRequest = (ctx: Context, requestId: string) =>
  and(eq(appliedCommands.actorId, ctx.userId), eq(appliedCommands.requestId, requestId));

/** What this command was answered, if it was done. */
export async function findReply(ctx: Context, requestId: string): Promise<Reply | null> {
  const [applied] = await ctx.db
    .select({ reply: appliedCommands.reply })
    .from(appliedCommands)
    .where(isRequest(ctx, requestId));
  return applied?.reply ?? null;
}

/**
 * For what cannot be part of a transaction: it is noted before it begins, so that it is never begun twice. `unknown` is
 * answered where the server was stopped meanwhile.
 */
export async function beginOnce(
  ctx: Context,
  requestId: string,
  unknown: Reply,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const note = { actorId: ctx.userId, requestId, reply: unknown, createdAt: ctx.now() };
  const [begun] = await ctx.db.insert(appliedCommands).values(note).onConflictDoNothing().returning();
  if (!begun) return (await findReply(ctx, requestId)) ?? unknown;
  const reply = await work();
  await ctx.db.update(appliedCommands).set({ reply }).where(isRequest(ctx, requestId));
  return reply;
}
