import { and, eq, isNull } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type UserRow, users } from '../../users/table.ts';

export async function lockUser({ tx }: Write, id: string): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  if (!user || user.deletedAt) throw notFound('This account');
  return user;
}

/** Before an account can act as an admin no more. All admins are locked, so that two cannot remove each other at once. */
export async function assertNotLastAdmin({ tx }: Write, user: UserRow): Promise<void> {
  if (user.role !== 'admin' || user.suspendedAt) return;
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), isNull(users.suspendedAt), isNull(users.deletedAt)))
    .orderBy(users.id)
    .for('update');
  if (admins.every(({ id }) => id === user.id)) {
    throw new AppError('conflict', 'This is the only admin. Make another person an admin first.', {
      details: { reason: 'last_admin' },
    });
  }
}
