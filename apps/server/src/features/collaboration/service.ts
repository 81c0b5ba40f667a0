import { type LockHolder, topics } from '@atoll/contract';
import { and, eq, gt, inArray, lt } from 'drizzle-orm';
import type { Context, Write } from '../../platform/context.ts';
import { message } from '../../platform/realtime/stream.ts';
import { isSameWindow, locked, lockLife, newLock, type Window } from '../../platform/realtime/window-locks.ts';
import { getFile } from '../files/service/files.ts';
import { requireProject } from '../projects/service/access.ts';
import { loadPerson } from '../projects/service/relations.ts';
import { type FileLockRow, fileLocks } from './table.ts';

interface FileAddress {
  projectId: string;
  fileId: string;
}

export interface LockState {
  holder: LockHolder | null;
}

async function holderOf(db: Context['db'], lock: FileLockRow | undefined): Promise<LockState> {
  const user = lock && (await loadPerson(db, lock.userId));
  return { holder: user ? { user, tag: lock.tag, since: lock.acquiredAt.toISOString() } : null };
}

export async function lockState(ctx: Context, { fileId }: FileAddress): Promise<LockState> {
  const [lock] = await ctx.db
    .select()
    .from(fileLocks)
    .where(and(eq(fileLocks.fileId, fileId), gt(fileLocks.expiresAt, ctx.now())));
  return holderOf(ctx.db, lock);
}

export async function acquireLock(
  ctx: Context,
  address: FileAddress,
  { isTakeover, ...window }: Window & { isTakeover: boolean },
): Promise<LockState> {
  await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
  await getFile(ctx, address.projectId, address.fileId);
  return ctx.write(async (write) => {
    const lock = newLock(ctx, window);
    const [taken] = await write.tx
      .insert(fileLocks)
      .values({ ...address, ...lock })
      .onConflictDoNothing()
      .returning();
    if (taken) return announce(write, address, taken);
    const [held] = await write.tx.select().from(fileLocks).where(eq(fileLocks.fileId, address.fileId)).for('update');
    const isMine = held !== undefined && isSameWindow(held, lock);
    if (held && !isMine && held.expiresAt > lock.acquiredAt && !isTakeover) {
      const { holder } = await holderOf(write.tx, held);
      throw locked('file', holder?.user, { holder });
    }
    const [row] = await write.tx
      .update(fileLocks)
      .set(isMine ? { ...lock, acquiredAt: held.acquiredAt } : lock)
      .where(eq(fileLocks.fileId, address.fileId))
      .returning();
    return announce(write, address, row);
  });
}

async function announce(write: Write, address: FileAddress, lock: FileLockRow | undefined): Promise<LockState> {
  const state = await holderOf(write.tx, lock);
  write.publish(message(topics.lock, address, 'lock_changed', state));
  return state;
}

/** Ends the lock if this window still has it. */
export async function releaseLock(ctx: Context, address: FileAddress, channelId: string): Promise<LockState> {
  return ctx.write(async (write) => {
    const [released] = await write.tx
      .delete(fileLocks)
      .where(and(eq(fileLocks.fileId, address.fileId), eq(fileLocks.channelId, channelId)))
      .returning();
    return released ? announce(write, address, undefined) : lockState(ctx.within(write), address);
  });
}

export async function renewLocks(ctx: Context, channelIds: string[]): Promise<void> {
  if (channelIds.length === 0) return;
  const expiresAt = new Date(ctx.now().getTime() + lockLife);
  await ctx.db.update(fileLocks).set({ expiresAt }).where(inArray(fileLocks.channelId, channelIds));
}

/** Locks of servers that died. */
export async function endExpiredLocks(ctx: Context): Promise<void> {
  const isExpired = lt(fileLocks.expiresAt, ctx.now());
  const [expired] = await ctx.db.select().from(fileLocks).where(isExpired).limit(1);
  if (!expired) return;
  await ctx.write(async (write) => {
    const ended = await write.tx.delete(fileLocks).where(isExpired).returning();
    for (const { projectId, fileId } of ended) await announce(write, { projectId, fileId }, undefined);
  });
}
