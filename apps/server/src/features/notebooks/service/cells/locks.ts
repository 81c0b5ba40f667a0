import { type CellLock, topics } from '@atoll/contract';
import { and, eq, gt, inArray, lt, ne } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import type { AppError } from '../../../../platform/errors.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import { isSameWindow, locked, lockLife, newLock, type Window } from '../../../../platform/realtime/window-locks.ts';
import { loadPeopleOf, loadPerson } from '../../../projects/service/relations.ts';
import { cellLocks } from '../../table.ts';
import type { Address } from '../address.ts';

export async function locksOf(ctx: Context, db: Context['db'], fileId: string): Promise<CellLock[]> {
  const rows = await db
    .select()
    .from(cellLocks)
    .where(and(eq(cellLocks.fileId, fileId), gt(cellLocks.expiresAt, ctx.now())));
  const people = await loadPeopleOf(db, rows, ({ userId }) => userId);
  return rows.flatMap(({ cellId, userId, tag, acquiredAt }) => {
    const user = people.get(userId);
    return user ? [{ cell_id: cellId, user, tag, since: acquiredAt.toISOString() }] : [];
  });
}

/** Takes the lock of a cell; its holder keeps it, unless it is taken over. */
export async function lockCell(
  ctx: Context,
  write: Write,
  address: Address,
  cellId: string,
  { isTakeover, ...window }: Window & { isTakeover: boolean },
): Promise<CellLock[]> {
  const lock = newLock(ctx, window);
  const isThis = and(eq(cellLocks.fileId, address.fileId), eq(cellLocks.cellId, cellId));
  const [taken] = await write.tx
    .insert(cellLocks)
    .values({ ...address, cellId, ...lock })
    .onConflictDoNothing()
    .returning();
  if (!taken) {
    const [held] = await write.tx.select().from(cellLocks).where(isThis).for('update');
    const isMine = held !== undefined && isSameWindow(held, lock);
    if (held && !isMine && held.expiresAt > lock.acquiredAt && !isTakeover) throw await lockedBy(write.tx, held);
    await write.tx.update(cellLocks).set(lock).where(isThis);
    if (isMine) return locksOf(ctx, write.tx, address.fileId);
  }
  // A window writes in one cell at a time.
  await write.tx
    .delete(cellLocks)
    .where(
      and(
        eq(cellLocks.fileId, address.fileId),
        eq(cellLocks.channelId, window.channelId),
        ne(cellLocks.cellId, cellId),
      ),
    );
  return announce(ctx, write, address);
}

async function lockedBy(db: Context['db'], { userId, cellId }: { userId: string; cellId: string }): Promise<AppError> {
  const user = await loadPerson(db, userId);
  return locked('cell', user, { cell_id: cellId, user });
}

/** Refuses to change a cell in which another window writes. */
export async function assertUnlocked(
  ctx: Context,
  write: Write,
  fileId: string,
  cellIds: string[],
  channelId: string | null,
): Promise<void> {
  if (cellIds.length === 0) return;
  const held = await write.tx
    .select()
    .from(cellLocks)
    .where(and(eq(cellLocks.fileId, fileId), inArray(cellLocks.cellId, cellIds), gt(cellLocks.expiresAt, ctx.now())));
  const other = held.find((lock) => lock.channelId !== channelId && lock.userId !== ctx.actor.userId);
  if (other) throw await lockedBy(write.tx, other);
}

async function announce(ctx: Context, write: Write, address: Address): Promise<CellLock[]> {
  const locks = await locksOf(ctx, write.tx, address.fileId);
  write.publish(message(topics.notebook, { ...address }, 'locks_changed', { locks }));
  return locks;
}

export async function unlockCells(
  ctx: Context,
  address: Address,
  channelId: string,
  cellId?: string,
): Promise<CellLock[]> {
  return ctx.write(async (write) => {
    const released = await write.tx
      .delete(cellLocks)
      .where(
        and(
          eq(cellLocks.fileId, address.fileId),
          eq(cellLocks.channelId, channelId),
          cellId === undefined ? undefined : eq(cellLocks.cellId, cellId),
        ),
      )
      .returning({ cellId: cellLocks.cellId });
    return released.length > 0 ? announce(ctx, write, address) : locksOf(ctx, write.tx, address.fileId);
  });
}

export async function renewCellLocks(ctx: Context, channelIds: string[]): Promise<void> {
  if (channelIds.length === 0) return;
  const expiresAt = new Date(ctx.now().getTime() + lockLife);
  await ctx.db.update(cellLocks).set({ expiresAt }).where(inArray(cellLocks.channelId, channelIds));
}

/** Deletes locks of servers that died. */
export async function endExpiredCellLocks(ctx: Context): Promise<void> {
  const isExpired = lt(cellLocks.expiresAt, ctx.now());
  const [expired] = await ctx.db.select().from(cellLocks).where(isExpired).limit(1);
  if (!expired) return;
  await ctx.write(async (write) => {
    const ended = await write.tx.delete(cellLocks).where(isExpired).returning();
    const files = new Map(ended.map(({ projectId, fileId }) => [fileId, { projectId, fileId }]));
    for (const address of files.values()) await announce(ctx, write, address);
  });
}
