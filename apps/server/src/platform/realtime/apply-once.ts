import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../context.ts';
import { preparedStatement } from '../db/prepared-statement.ts';
import { requestReused } from '../errors.ts';
import { appliedCommands } from './table.ts';

const noting = preparedStatement(sql`insert into applied_commands (actor_id, request_id, digest, reply, created_at)
  values (${sql.placeholder('actorId')}, ${sql.placeholder('requestId')}, ${sql.placeholder('digest')}, ${sql.placeholder('reply')}, ${sql.placeholder('at')})`);

type Reply = Record<string, unknown>;

/** A client's request that is applied once, however often the client sends it. */
export interface ClientRequest {
  id: string;
  /** The digest of the whole request: the same id with another body is another request. */
  digest: string;
}

export const clientRequest = (id: string, asked: unknown): ClientRequest => ({
  id: id.toLowerCase(),
  digest: createHash('sha256').update(JSON.stringify(asked)).digest('base64url'),
});

/**
 * Applies a command in one transaction with the note that it is done. A client that lost the connection before the answer
 * sends it again: the first note undoes the second attempt, whatever its outcome, and returns the first answer.
 */
export async function applyOnce(
  ctx: Context,
  request: ClientRequest,
  work: (ctx: Context) => Promise<Reply>,
): Promise<Reply> {
  const actorId = ctx.userId;
  try {
    return await ctx.write(async (write) => {
      const reply = await work(ctx.within(write));
      const note = { actorId, requestId: request.id, digest: request.digest, at: ctx.now().toISOString() };
      write.last(() => write.tx.execute(noting({ ...note, reply: JSON.stringify(reply) })).execute());
      return reply;
    });
  } catch (error) {
    const reply = await findReply(ctx, request);
    if (!reply) throw error;
    ctx.pendingRowCheck = null;
    return reply;
  }
}

const isRequest = (ctx: Context, requestId: string) =>
  and(eq(appliedCommands.actorId, ctx.userId), eq(appliedCommands.requestId, requestId));

/** The reply to this command, if it was applied. */
export async function findReply(ctx: Context, request: ClientRequest): Promise<Reply | null> {
  const [applied] = await ctx.db
    .select({ reply: appliedCommands.reply, digest: appliedCommands.digest })
    .from(appliedCommands)
    .where(isRequest(ctx, request.id));
  if (!applied) return null;
  assertSame(applied, request);
  return applied.reply;
}

/** Commands applied before digests were stored have none. */
function assertSame(applied: { digest: string | null }, { digest }: ClientRequest): void {
  if (applied.digest !== null && applied.digest !== digest) throw requestReused();
}

/** For commands that are idempotent by themselves: the same id is refused for another body. */
export async function claimRequest(ctx: Context, { tx }: Pick<Write, 'tx'>, request: ClientRequest): Promise<void> {
  const note = { actorId: ctx.userId, requestId: request.id, digest: request.digest, reply: {}, createdAt: ctx.now() };
  const [claimed] = await tx.insert(appliedCommands).values(note).onConflictDoNothing().returning();
  if (claimed) return;
  const [applied] = await tx
    .select({ digest: appliedCommands.digest })
    .from(appliedCommands)
    .where(isRequest(ctx, request.id));
  if (applied) assertSame(applied, request);
}

/**
 * For work that cannot be part of a transaction: it is noted before it begins, so that it never begins twice. The reply is
 * `unknown` if the server was stopped meanwhile.
 */
export async function beginOnce(
  ctx: Context,
  request: ClientRequest,
  unknown: Reply,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const note = { actorId: ctx.userId, requestId: request.id, digest: request.digest, reply: unknown };
  const [begun] = await ctx.db
    .insert(appliedCommands)
    .values({ ...note, createdAt: ctx.now() })
    .onConflictDoNothing()
    .returning();
  if (!begun) return (await findReply(ctx, request)) ?? unknown;
  const reply = await work();
  await ctx.db.update(appliedCommands).set({ reply }).where(isRequest(ctx, request.id));
  return reply;
}
